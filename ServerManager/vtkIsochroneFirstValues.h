/**
 * @class vtkIsochroneFirstValues
 * @brief initial arrays, seed, tip and site range of a new filter
 *
 * A list of points cannot take its default from the bounds of the input by XML alone, and ParaView 5.11
 * cannot draw the handles of an empty list. A filter that names this helper in its hints starts with the
 * centre of the input in SeedPoints and a point halfway to its far corner in TipPoints (SourcePoints and
 * ReceiverPoints for Isochrone Ray Tracing). SiteArray, SiteRange, IsoValue and IntensityArray start with the
 * defaults of their domains, which know the arrays only after the input has run.
 *
 * The speed, velocity or cost starts with the default of its domain, see vtkSMIsochroneMediumDomain. A filter
 * created with its input alone, as from the menu, warns at its first run if it has chosen no array although
 * the input has some.
 *
 * Properties set on creation are kept. TipPoints stays empty if a script sets seeds or sites but no tips,
 * since such a script requests no lines. The helper does nothing in symmetric MPI mode (pvbatch --sym):
 * no panel exists, and a rank knows only the bounds and ranges of its own piece.
 */
#ifndef vtkIsochroneFirstValues_h
#define vtkIsochroneFirstValues_h

#include "IsochroneServerManagerModule.h" // for the export macro
#include "vtkSMProxyInitializationHelper.h"

class ISOCHRONESERVERMANAGER_EXPORT vtkIsochroneFirstValues : public vtkSMProxyInitializationHelper {
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
