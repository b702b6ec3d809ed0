/* expatShim.c - makes VTK 9.2 read its own XML files on Debian 12 and Ubuntu 24.04. Preload it (LD_PRELOAD).
 *
 * Since version 2.6 (and in the security updates of 2.5) expat puts off parsing a token until enough new input has
 * come. VTK 9.2 stops feeding the parser where appended data begin and takes the unparsed rest for an error: 0 points,
 * and lost cells in Redistribute Data Set. This wrapper creates every parser with that deferral switched off. */
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
