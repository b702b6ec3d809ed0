/**
 * @class vtkIsochroneFirstValues
 * @brief gives a new filter a seed and a tip to drag, and a range of sites
 *
 * A list of points cannot take its default from the bounds of the input by XML alone, and ParaView 5.11
 * cannot draw the handles of an empty one. With this helper, named in the hints of a filter, SeedPoints
 * starts with the centre of the input and TipPoints with a point halfway to its far corner; Sources and
 * Receivers are Seeds and Tips by another name. SiteArray, SiteRange and
 * IntensityArray start with the defaults of their domains, which know the arrays only once the input has run.
 * What was set on creation is left alone, and so is TipPoints where a script gave seeds or sites but no tips:
 * it asks for no lines. Nothing is done where every rank runs the script (pvbatch --sym): there is no panel,
 * and a rank knows the bounds and ranges of its piece alone.
 */
#ifndef vtkIsochroneFirstValues_h
#define vtkIsochroneFirstValues_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkSMProxyInitializationHelper.h"

class ISOCHRONEFILTERS_EXPORT vtkIsochroneFirstValues : public vtkSMProxyInitializationHelper {
public:
  static vtkIsochroneFirstValues* New();
  vtkTypeMacro(vtkIsochroneFirstValues, vtkSMProxyInitializationHelper);

  void PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement* xml,
                           vtkMTimeType initializationTimeStamp) override;

protected:
  vtkIsochroneFirstValues() = default;
  ~vtkIsochroneFirstValues() override = default;

private:
  vtkIsochroneFirstValues(const vtkIsochroneFirstValues&) = delete;
  void operator=(const vtkIsochroneFirstValues&) = delete;
};

#endif
