/* expatShim.c - lets VTK 9.2 read its own XML files on Debian 12 and Ubuntu 24.04. Preload it (LD_PRELOAD).
 *
 * Since version 2.6 (and the security updates of 2.5) expat defers parsing a token until enough new input has
 * arrived. VTK 9.2 stops feeding the parser at the start of appended data and treats the unparsed rest as an
 * error: 0 points, and lost cells in Redistribute Data Set. This wrapper creates every parser with the
 * deferral switched off. */
#define _GNU_SOURCE
#include <dlfcn.h>

typedef void* Parser;
typedef Parser (*Create)(const char* encoding);
typedef unsigned char (*SetDeferral)(Parser parser, unsigned char on);

Parser XML_ParserCreate(const char* encoding) {
  Create create = (Create)dlsym(RTLD_NEXT, "XML_ParserCreate");
  SetDeferral setDeferral = (SetDeferral)dlsym(RTLD_NEXT, "XML_SetReparseDeferralEnabled");
  Parser parser = create(encoding);
  if (parser && setDeferral) setDeferral(parser, 0);
  return parser;
}
