/** V8 doubles young space when much survives, as at a start: 32 MB of no use later. The flag is the process's. */
import { setFlagsFromString } from 'node:v8'

export const keepYoungSpace = (): void => setFlagsFromString('--semi-space-growth-factor=1')

/** V8's default: with load the core's grows to what it is given. */
export const letYoungSpaceGrow = (): void => setFlagsFromString('--semi-space-growth-factor=2')
