// TimeSteps.h - the sources of a filter, one after the other, as the time steps of its outputs.
#pragma once

class vtkAlgorithm;
class vtkDataObject;
class vtkInformation;
class vtkInformationVector;

namespace isochrone::filters {

/// Brings the data that is connected to a port up to date, for RequestInformation to read. Null if there is
/// none.
vtkDataObject* updatedInput(vtkAlgorithm* filter, int port);

/// Announces the time steps 0 to count - 1 on every output, or none.
void announceSteps(vtkInformationVector* outputs, int count);

/// No input is asked for the time that this filter is asked for.
void dropTime(vtkInformationVector** inputs, int ports);

/// The step asked for by the request that runs, of so many.
int requestedStep(vtkInformation* request, vtkInformationVector* outputs, int count);

/// Says on every output which step it is.
void stampStep(vtkInformationVector* outputs, int step);

} // namespace isochrone::filters
