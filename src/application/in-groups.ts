/** Decisions at once: they share a commit. */
const AT_ONCE = 50

export async function inGroups(work: readonly (() => Promise<void>)[]): Promise<void> {
  for (let at = 0; at < work.length; at += AT_ONCE) {
    await Promise.all(work.slice(at, at + AT_ONCE).map((each) => each()))
  }
}
