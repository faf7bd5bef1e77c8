// Put in front of better-sqlite3's sources by repair-sqlite.mjs. The headers of Node 24.19 and later make every wrapped
// object remove a hook of its environment when it is collected, which ends the process when that happens outside of any
// context (nodejs/node#65446). Here the class is read with hooks that do nothing, as it was before.
#ifdef __cplusplus
#include <node.h>

namespace node {
inline void NoHook(v8::Isolate*, void (*)(void*), void*) {}
}  // namespace node

#define AddEnvironmentCleanupHook NoHook
#define RemoveEnvironmentCleanupHook NoHook
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
#endif
