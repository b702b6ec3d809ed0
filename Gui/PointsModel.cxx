#include "PointsModel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace isochrone::gui {
namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr int headingColumn = 3;

/// Compares bits, so that NaN equals NaN.
template <class Rows>
bool same(const Rows& a, const Rows& b) {
  return a.size() == b.size() && (a.empty() || !std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]));
}

} // namespace

void PointsModel::addHeadings() { this->columns = 4; }

int PointsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(this->rows.size());
}

int PointsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : this->columns; }

QVariant PointsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole)) return {};
  const double value = this->rows[std::size_t(index.row())][std::size_t(index.column())];
  if (std::isnan(value)) return role == Qt::DisplayRole ? QString("any") : QString();
  constexpr int digitsShown = 6, digitsOfDouble = 17;
  const QString exact = QString::number(value, 'g', digitsOfDouble),
                shorter = QString::number(value, 'g', 15);
  if (role == Qt::EditRole) return shorter.toDouble() == value ? shorter : exact;
  return QString::number(value, 'g', digitsShown);
}

bool PointsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole) return false;
  bool valid = false;
  double number = value.toDouble(&valid);
  const QString text = value.toString().trimmed();
  if (index.column() == headingColumn && (text.isEmpty() || text == "any")) {
    number = notANumber;
    valid = true;
  }
  if (!valid || std::isinf(number) || (std::isnan(number) && index.column() != headingColumn)) return false;
  std::vector<Row> changed = this->rows;
  changed[std::size_t(index.row())][std::size_t(index.column())] = number;
  this->replace(std::move(changed));
  return true;
}

QVariant PointsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role == Qt::ToolTipRole && orientation == Qt::Horizontal && section == headingColumn)
    return tr("Heading in degrees, counterclockwise from the first axis; empty: any");
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section; // as in the arrays SeedId and TipId
  constexpr const char* names[] = {"X", "Y", "Z", "Heading"};
  return QString(names[section]);
}

Qt::ItemFlags PointsModel::flags(const QModelIndex& index) const {
  return QAbstractTableModel::flags(index) | Qt::ItemIsEditable;
}

void PointsModel::append(double x, double y, double z) {
  std::vector<Row> longer = this->rows;
  longer.push_back({x, y, z, notANumber});
  this->replace(std::move(longer));
}

void PointsModel::remove(const std::vector<int>& indices) {
  std::vector<Row> left = this->rows;
  for (auto row = indices.rbegin(); row != indices.rend(); ++row) left.erase(left.begin() + *row);
  this->replace(std::move(left));
}

QList<QVariant> PointsModel::coordinates() const {
  QList<QVariant> out;
  for (const Row& row : this->rows)
    for (int axis = 0; axis < 3; ++axis) out.append(row[std::size_t(axis)]);
  return out;
}

void PointsModel::setCoordinates(const QList<QVariant>& values) {
  std::vector<Row> changed(std::size_t(values.size() / 3), Row{0, 0, 0, notANumber});
  std::size_t before = 0; // the row that a row was
  for (std::size_t r = 0; r < changed.size(); ++r, ++before) {
    for (std::size_t axis = 0; axis < 3; ++axis) changed[r][axis] = values[int(3 * r + axis)].toDouble();
    // Skips as many rows as were removed.
    while (this->rows.size() + r > changed.size() + before &&
           !std::equal(changed[r].begin(), changed[r].begin() + 3, this->rows[before].begin()))
      ++before;
    if (before < this->rows.size()) changed[r][headingColumn] = this->rows[before][headingColumn];
  }
  this->replace(std::move(changed));
}

QList<QVariant> PointsModel::headings() const {
  QList<QVariant> out;
  for (const Row& row : this->rows) out.append(row[headingColumn]);
  while (!out.isEmpty() && std::isnan(out.last().toDouble())) out.removeLast();
  return out;
}

void PointsModel::setHeadings(const QList<QVariant>& values) {
  std::vector<Row> changed = this->rows;
  for (std::size_t r = 0; r < changed.size(); ++r)
    changed[r][headingColumn] = int(r) < int(values.size()) ? values[int(r)].toDouble() : notANumber;
  this->replace(std::move(changed));
}

void PointsModel::replace(std::vector<Row> changed) {
  if (same(changed, this->rows)) return;
  const int before = int(this->rows.size()), after = int(changed.size());
  if (after > before) this->beginInsertRows({}, before, after - 1);
  if (after < before) this->beginRemoveRows({}, after, before - 1);
  this->rows = std::move(changed);
  if (after > before) this->endInsertRows();
  if (after < before) this->endRemoveRows();
  if (after > 0) Q_EMIT this->dataChanged(this->index(0, 0), this->index(after - 1, this->columns - 1));
}

} // namespace isochrone::gui
