// PointsModel.h - the table of seeds or tips: a row per point with its coordinates and, if wanted, its
// heading.
#pragma once

#include <QAbstractTableModel>
#include <QList>
#include <QVariant>

#include <array>
#include <vector>

namespace isochrone::gui {

class PointsModel : public QAbstractTableModel {
public:
  explicit PointsModel(QObject* parent) : QAbstractTableModel(parent) {}

  /// Adds the column of headings, in degrees.
  void addHeadings();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

  /// Appends a point without heading.
  void append(double x, double y, double z);
  /// Removes rows, given in increasing order.
  void remove(const std::vector<int>& rows);

  /// Coordinates of all points in sequence: x, y, z of row 0, of row 1 and so on.
  QList<QVariant> coordinates() const;
  /// Keeps the headings of the rows that stay.
  void setCoordinates(const QList<QVariant>& values);

  /// Headings in degrees up to the last row that has one; NaN stands for any heading.
  QList<QVariant> headings() const;
  void setHeadings(const QList<QVariant>& values);

private:
  using Row = std::array<double, 4>; // x, y, z, heading or NaN
  void replace(std::vector<Row> rows);

  std::vector<Row> rows;
  int columns = 3;
};

} // namespace isochrone::gui
