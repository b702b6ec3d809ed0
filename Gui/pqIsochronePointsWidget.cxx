#include "pqIsochronePointsWidget.h"

#include "PointsModel.h"

#include <pqKeySequences.h>
#include <pqModalShortcut.h>
#include <pqRenderView.h>
#include <vtkCommand.h>
#include <vtkPVXMLElement.h>
#include <vtkRenderWindowInteractor.h>
#include <vtkRenderer.h>
#include <vtkSMPropertyGroup.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMRenderViewProxy.h>

#include <QApplication>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace {

bool isForTips(vtkSMPropertyGroup* group) {
  vtkPVXMLElement* hints = group->GetHints();
  vtkPVXMLElement* points = hints ? hints->FindNestedElementByName("Points") : nullptr;
  return points && QString(points->GetAttributeOrEmpty("role")) == "tips";
}

/// Finds the point that is shown at a pixel. Returns false if there is none.
bool pick(vtkSMRenderViewProxy* view, const int pixel[2], double at[3]) {
  double normal[3];
  if (view->ConvertDisplayToPointOnSurface(pixel, at, normal) && std::isfinite(at[0])) return true;
  // ParaView finds nothing on slices and lines. Their depth is known where the picture is drawn.
  view->StillRender();
  vtkRenderer* renderer = view->GetRenderer();
  const double depth = renderer->GetZ(pixel[0], pixel[1]);
  if (depth >= 1) return false; // the background
  renderer->SetDisplayPoint(pixel[0], pixel[1], depth);
  renderer->DisplayToWorld();
  double world[4];
  renderer->GetWorldPoint(world);
  for (int axis = 0; axis < 3; ++axis) at[axis] = world[axis] / world[3];
  return true;
}

/// The group that gets picked points.
QPointer<pqIsochronePointsWidget> active;

} // namespace

pqIsochronePointsWidget::pqIsochronePointsWidget(vtkSMProxy* proxy, vtkSMPropertyGroup* group,
                                                 QWidget* parent)
    : pqInteractivePropertyWidget("representations", "IsochronePointsWidgetRepresentation", proxy, group,
                                  parent),
      model(new isochrone::gui::PointsModel(this)), table(new QTableView(this)), tips(isForTips(group)) {
  vtkSMPropertyHelper(this->widgetProxy(), "Role").Set(this->tips ? 1 : 0);
  this->widgetProxy()->UpdateVTKObjects();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(2, 2, 2, 2);
  layout->setSpacing(4);
  this->makeTable();
  this->makeButtons();
  this->linkProperties();
  this->makePickKey();
}

pqIsochronePointsWidget::~pqIsochronePointsWidget() {
  if (this->interactor) this->interactor->RemoveObserver(this->observer);
}

void pqIsochronePointsWidget::makeTable() {
  this->table->setObjectName("PointsTable");
  if (this->propertyGroup()->GetProperty("Headings")) this->model->addHeadings();
  this->table->setModel(this->model);
  this->table->setSelectionBehavior(QAbstractItemView::SelectRows);
  this->table->setMinimumWidth(0);
  this->table->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  this->table->horizontalHeader()->setMinimumSectionSize(20);
  this->table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  this->table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  this->table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  this->layout()->addWidget(this->table);
  const auto changed = [this] {
    this->fitHeight();
    Q_EMIT this->pointsChanged();
    Q_EMIT this->headingsChanged();
  };
  this->connect(this->model, &QAbstractTableModel::dataChanged, this, changed);
  this->connect(this->model, &QAbstractTableModel::rowsRemoved, this, changed);
  this->connect(this->table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
    Q_EMIT this->currentRowChanged();
    this->render();
  });
  this->fitHeight();
}

void pqIsochronePointsWidget::makeButtons() {
  auto* row = new QHBoxLayout;
  auto* show = new QCheckBox(tr("Show in view"), this);
  show->setObjectName("show3DWidget");
  show->setChecked(true);
  this->connect(show, &QCheckBox::toggled, this, &pqIsochronePointsWidget::setWidgetVisible);
  this->connect(this, &pqIsochronePointsWidget::widgetVisibilityToggled, show, &QCheckBox::setChecked);
  this->setWidgetVisible(true);
  row->addWidget(show);
  row->addStretch();
  const auto button = [&](const char* name, const char* icon, const QString& tip, auto action) {
    auto* made = new QToolButton(this);
    made->setObjectName(name);
    made->setIcon(QIcon(icon));
    made->setToolTip(tip);
    this->connect(made, &QToolButton::clicked, this, action);
    row->addWidget(made);
  };
  button("Add", ":/QtWidgets/Icons/pqPlus.svg", tr("Add a point at the place of the last one"), [this] {
    const QList<QVariant> all = this->points();
    const auto last = [&](int axis) {
      return all.isEmpty() ? 0.0 : all[int(all.size()) - 3 + axis].toDouble();
    };
    this->appendPoint(last(0), last(1), last(2));
  });
  button("Remove", ":/QtWidgets/Icons/pqMinus.svg", tr("Remove the selected points"),
         [this] { this->removeSelected(); });
  button("DeleteAll", ":/QtWidgets/Icons/pqDelete.svg", tr("Remove all points"),
         [this] { this->setPoints({}); });
  static_cast<QVBoxLayout*>(this->layout())->addLayout(row);
}

void pqIsochronePointsWidget::linkProperties() {
  vtkSMPropertyGroup* group = this->propertyGroup();
  this->addPropertyLink(this, "points", SIGNAL(pointsChanged()), group->GetProperty("HandlePositions"));
  if (vtkSMProperty* headings = group->GetProperty("Headings"))
    this->addPropertyLink(this, "headings", SIGNAL(headingsChanged()), headings);
  this->handleLinks.addPropertyLink(this, "currentRow", SIGNAL(currentRowChanged()), this->widgetProxy(),
                                    this->widgetProxy()->GetProperty("CurrentHandleIndex"));
  // VTK selects the handle under the mouse when handles appear, and these are large before the first picture.
  this->connect(this, &pqIsochronePointsWidget::widgetVisibilityUpdated, this,
                [this] { this->widgetProxy()->UpdateProperty("CurrentHandleIndex", /* force */ 1); });
}

void pqIsochronePointsWidget::makePickKey() {
  this->hint = new QLabel(tr("P or Alt+click adds a point."), this);
  this->hint->setWordWrap(true);
  this->hint->hide();
  this->layout()->addWidget(this->hint);
  this->pickKey = pqKeySequences::instance().addModalShortcut(QKeySequence("P"), nullptr, this);
  this->connect(this->pickKey, &pqModalShortcut::activated, this, [this] {
    if (this->view() && this->view()->widget()->underMouse()) this->appendUnderMouse();
  });
  this->connect(this, &pqIsochronePointsWidget::startInteraction, this, &pqIsochronePointsWidget::activate);
  this->connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    if (now && this->isAncestorOf(now)) this->activate();
  });
}

void pqIsochronePointsWidget::activate() {
  if (active && active != this) active->hint->hide();
  active = this;
  this->hint->show();
  this->pickKey->setEnabled(true); // ParaView then disables the key in all other widgets
}

bool pqIsochronePointsWidget::isActive() const { return active == this && this->isSelected(); }

bool pqIsochronePointsWidget::eventFilter(QObject* object, QEvent* event) {
  // Other widgets with this key take it when they appear, for example with a new representation.
  if (event->type() == QEvent::Enter && this->isActive()) this->pickKey->setEnabled(true);
  return this->pqInteractivePropertyWidget::eventFilter(object, event);
}

QList<QVariant> pqIsochronePointsWidget::points() const { return this->model->coordinates(); }

void pqIsochronePointsWidget::setPoints(const QList<QVariant>& coordinates) {
  this->model->setCoordinates(coordinates);
}

QList<QVariant> pqIsochronePointsWidget::headings() const { return this->model->headings(); }

void pqIsochronePointsWidget::setHeadings(const QList<QVariant>& degrees) {
  this->model->setHeadings(degrees);
}

int pqIsochronePointsWidget::currentRow() const { return this->table->currentIndex().row(); }

void pqIsochronePointsWidget::setCurrentRow(int row) {
  if (row != this->currentRow()) this->table->setCurrentIndex(this->model->index(row, 0));
}

void pqIsochronePointsWidget::appendPoint(double x, double y, double z) {
  this->model->append(x, y, z);
  this->setCurrentRow(this->model->rowCount() - 1);
  Q_EMIT this->changeFinished();
}

void pqIsochronePointsWidget::removeSelected() {
  std::vector<int> rows;
  for (const QModelIndex& index : this->table->selectionModel()->selectedRows()) rows.push_back(index.row());
  std::ranges::sort(rows);
  this->model->remove(rows);
}

void pqIsochronePointsWidget::fitHeight() {
  constexpr int mostRows = 8; // then it scrolls
  const int rows = std::clamp(this->model->rowCount(), 1, mostRows);
  this->table->setFixedHeight(this->table->horizontalHeader()->sizeHint().height() +
                              rows * this->table->verticalHeader()->defaultSectionSize() +
                              2 * this->table->frameWidth());
}

void pqIsochronePointsWidget::select() {
  this->pqInteractivePropertyWidget::select();
  QTimer::singleShot(0, this, SLOT(activateIfFirst())); // when the other group is selected too
}

void pqIsochronePointsWidget::activateIfFirst() {
  const bool seedsAreActive = active && active != this && active->isActive();
  if (this->isSelected() && (!this->tips || !seedsAreActive)) this->activate();
}

void pqIsochronePointsWidget::deselect() {
  this->pqInteractivePropertyWidget::deselect();
  this->pickKey->setEnabled(false);
}

void pqIsochronePointsWidget::setView(pqView* view) {
  if (this->view()) this->view()->widget()->removeEventFilter(this);
  if (this->interactor) this->interactor->RemoveObserver(this->observer);
  this->pqInteractivePropertyWidget::setView(view);
  auto* renderView = qobject_cast<pqRenderView*>(this->view());
  this->interactor = renderView ? renderView->getRenderViewProxy()->GetInteractor() : nullptr;
  if (!renderView || !this->interactor) return;
  renderView->widget()->installEventFilter(this);
  this->pickKey->setContextWidget(renderView->widget(),
                                  Qt::WindowShortcut); // also before a click into the view
  constexpr float beforeHandles = 1;                   // their priority is 0.5
  this->observer = this->interactor->AddObserver(vtkCommand::LeftButtonPressEvent, this,
                                                 &pqIsochronePointsWidget::clicked, beforeHandles);
}

bool pqIsochronePointsWidget::clicked(vtkObject*, unsigned long, void*) {
  if (!this->isActive() || !this->interactor->GetAltKey()) return false;
  this->appendUnderMouse();
  return true;
}

void pqIsochronePointsWidget::appendUnderMouse() {
  auto* renderView = qobject_cast<pqRenderView*>(this->view());
  if (!renderView || !this->isActive()) return;
  double at[3];
  const int* mouse = this->interactor->GetEventPosition();
  if (pick(renderView->getRenderViewProxy(), mouse, at)) this->appendPoint(at[0], at[1], at[2]);
}
