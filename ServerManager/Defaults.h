// Defaults.h - what ParaView shows of the outputs by default, in the GUI and in scripts.
#pragma once

/// Gives the arrays of the filters their colour maps and the legends their titles, and keeps the information
/// properties of filters up to date. Called when ParaView loads the plugin. Settings of the user or the site
/// take precedence.
void isochroneDisplayDefaults();
