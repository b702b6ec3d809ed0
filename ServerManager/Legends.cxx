#include "Legends.h"

#include "Quantities.h"

#include <vtkSMOutputPort.h>
#include <vtkSMProperty.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>
#include <vtkSMSourceProxy.h>

namespace isochrone::display {
namespace {

/// Finds a representation that a lookup table colours, visible ones first.
vtkSMProxy* colouredBy(vtkSMProxy* table) {
  vtkSMProxy* found = nullptr;
  for (unsigned int c = 0; c < table->GetNumberOfConsumers(); ++c) {
    vtkSMProxy* consumer = table->GetConsumerProxy(c);
    if (consumer) consumer = consumer->GetTrueParentProxy();
    if (!consumer || !consumer->GetProperty("ColorArrayName") || !consumer->GetProperty("Input")) continue;
    if (vtkSMPropertyHelper(consumer, "LookupTable", true).GetAsProxy() != table) continue;
    const bool visible = vtkSMPropertyHelper(consumer, "Visibility", true).GetAsInt() != 0;
    if (visible) return consumer;
    found = consumer;
  }
  return found;
}

/// Returns the title for a legend, or an empty string if it does not show an array of this plugin.
std::string titleFor(vtkSMProxy* representation, const std::string& array) {
  const vtkSMPropertyHelper input(representation, "Input");
  auto* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  return source ? legendTitle(array, source->GetDataInformation(input.GetOutputPort())) : "";
}

} // namespace

void setLegendTitle(vtkSMProxy* legend) {
  vtkSMProxy* table = vtkSMPropertyHelper(legend, "LookupTable", true).GetAsProxy();
  vtkSMProxy* representation = table ? colouredBy(table) : nullptr;
  if (!representation) return;
  const char* name = vtkSMPropertyHelper(representation, "ColorArrayName").GetInputArrayNameToProcess();
  const std::string array = name ? name : "", title = titleFor(representation, array);
  if (title.empty()) return;
  const std::string current = vtkSMPropertyHelper(legend, "Title").GetAsString(),
                    quantity = legendTitle(array, nullptr);
  const bool ours = current == quantity || current.rfind(quantity + " (", 0) == 0;
  const bool paraviews = current == array || legend->GetProperty("Title")->IsValueDefault();
  if (current == title || !(ours || paraviews)) return;
  vtkSMPropertyHelper(legend, "Title").Set(title.c_str());
  if (!ours) { // a new legend
    vtkSMPropertyHelper(legend, "ComponentTitle").Set("");
    vtkSMPropertyHelper range(legend, "RangeLabelFormat", true);
    const char* format = range.GetAsString();
    if (format) range.Set(*format == '%' ? "%-#6.3g" : "{:<#6.3g}"); // ParaView 6 has those of std::format
  }
  legend->UpdateVTKObjects();
}

} // namespace isochrone::display
