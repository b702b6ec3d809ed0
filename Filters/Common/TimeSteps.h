// TimeSteps.h - outputs the seeds of a filter, one each, as time steps.
#pragma once

class vtkAlgorithm;
class vtkDataObject;
class vtkInformation;
class vtkInformationVector;

namespace isochrone::filters {

/// Updates the data connected to a port, so that RequestInformation can read it. Returns null if there is
/// none.
vtkDataObject* updatedInput(vtkAlgorithm* filter, int port);

/// Announces the time steps 0 to count - 1 on every output; none if `count` is 0.
void announceSteps(vtkInformationVector* outputs, int count);

/// Removes the requested time from the requests to the inputs.
void dropTime(vtkInformationVector** inputs, int ports);

/// Returns the step that the running request asks for, clamped to [0, count).
int requestedStep(vtkInformation* request, vtkInformationVector* outputs, int count);

/// Stores the time step on every output.
void stampStep(vtkInformationVector* outputs, int step);

} // namespace isochrone::filters
