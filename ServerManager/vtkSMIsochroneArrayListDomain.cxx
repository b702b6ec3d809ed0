#include "vtkSMIsochroneArrayListDomain.h"

#include <vtkObjectFactory.h>

vtkStandardNewMacro(vtkSMIsochroneArrayListDomain);
