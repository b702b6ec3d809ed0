// pqIsochronePointsWidget.h - seeds or tips in the panel: a table, and handles in the view.
#pragma once

#include "pqInteractivePropertyWidget.h"

#include <QList>
#include <QVariant>

class QLabel;
class QTableView;
class pqModalShortcut;
class vtkObject;
class vtkRenderWindowInteractor;

namespace isochrone::gui {
class PointsModel;
}

/// Panel widget of a property group, panel_widget="IsochronePoints" in XML. The group has a property with the
/// function HandlePositions (coordinates of the points, world units) and may have one with the function
/// Headings (degrees). Its hints contain <Points role="seeds"/> or <Points role="tips"/>.
///
/// P, or Alt and a click, appends the point of the data under the mouse. Of the groups of a panel, the one
/// that was used last gets it, at first the seeds, and says so.
class pqIsochronePointsWidget : public pqInteractivePropertyWidget {
  Q_OBJECT
  Q_PROPERTY(QList<QVariant> points READ points WRITE setPoints NOTIFY pointsChanged)
  Q_PROPERTY(QList<QVariant> headings READ headings WRITE setHeadings NOTIFY headingsChanged)
  Q_PROPERTY(int currentRow READ currentRow WRITE setCurrentRow NOTIFY currentRowChanged)

public:
  pqIsochronePointsWidget(vtkSMProxy* proxy, vtkSMPropertyGroup* group, QWidget* parent = nullptr);
  ~pqIsochronePointsWidget() override;

  QList<QVariant> points() const;
  void setPoints(const QList<QVariant>& coordinates);
  QList<QVariant> headings() const;
  void setHeadings(const QList<QVariant>& degrees);
  /// Row of the selected handle, or -1.
  int currentRow() const;
  void setCurrentRow(int row);

  void select() override;
  void deselect() override;
  void setView(pqView* view) override;

Q_SIGNALS:
  void pointsChanged();
  void headingsChanged();
  void currentRowChanged();

protected:
  bool eventFilter(QObject* object, QEvent* event) override;

protected Q_SLOTS:
  void placeWidget() override {} // the handles lie where the points are

private Q_SLOTS:
  /// Activates the seeds, or the tips of a panel without seeds.
  void activateIfFirst();

private:
  void makeTable();
  void makeButtons();
  void linkProperties();
  void makePickKey();
  /// Makes this the group that gets picked points, and says so.
  void activate();
  bool isActive() const;
  void appendPoint(double x, double y, double z);
  /// Appends the point of the data under the mouse, if there is one.
  void appendUnderMouse();
  void removeSelected();
  void fitHeight();
  /// Returns true if the click was a point to append.
  bool clicked(vtkObject* interactor, unsigned long event, void* data);

  isochrone::gui::PointsModel* model;
  QTableView* table;
  QLabel* hint;
  pqModalShortcut* pickKey;
  bool tips = false;
  vtkWeakPointer<vtkRenderWindowInteractor> interactor;
  unsigned long observer = 0;
  pqPropertyLinks handleLinks;
};
