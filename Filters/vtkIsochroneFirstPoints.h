/**
 * @class vtkIsochroneFirstPoints
 * @brief gives a new filter a seed and a tip to drag
 *
 * A list of points cannot take its default from the bounds of the input by XML alone, and ParaView 5.11
 * cannot draw the handles of an empty one. With this helper, named in the hints of a filter, SeedPoints
 * starts with the centre of the input and TipPoints with a point halfway to its far corner. Lists set on
 * creation are left alone, and so is TipPoints where a script gave seeds but no tips: it asks for no path.
 * Nothing is done where every rank runs the script (pvbatch --sym): there is no panel, and a rank knows the
 * bounds of its piece alone.
 */
#ifndef vtkIsochroneFirstPoints_h
#define vtkIsochroneFirstPoints_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkSMProxyInitializationHelper.h"

class ISOCHRONEFILTERS_EXPORT vtkIsochroneFirstPoints : public vtkSMProxyInitializationHelper {
public:
  static vtkIsochroneFirstPoints* New();
  vtkTypeMacro(vtkIsochroneFirstPoints, vtkSMProxyInitializationHelper);

  void PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement* xml,
                           vtkMTimeType initializationTimeStamp) override;

protected:
  vtkIsochroneFirstPoints() = default;
  ~vtkIsochroneFirstPoints() override = default;

private:
  vtkIsochroneFirstPoints(const vtkIsochroneFirstPoints&) = delete;
  void operator=(const vtkIsochroneFirstPoints&) = delete;
};

#endif
