/**
 * V8 doubles a thread's space for young objects when much in it survives, and of what a start loads nearly everything
 * does: 32 MB that the main thread has no use for afterwards. The flag is the process's, so each thread starts small.
 */
import { setFlagsFromString } from 'node:v8'

export const keepYoungSpace = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/** V8's default: with load the core's grows to what it is given. */
export const letYoungSpaceGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2')
