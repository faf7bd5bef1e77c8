/** This version's functions: names contain a digest of the body, so nodes of two versions run beside each other. */
import { createHash } from 'node:crypto'
import { APPLY } from './apply.ts'
import { CLAIM, commitEach, commitGroup } from './group.ts'
import { OCCUPY, TAKE_TOKENS } from './limits.ts'
import { LOAD, LOOK_UP, take } from './load.ts'

function stored(name: string, definition: string) {
  const digest = createHash('sha256').update(definition).digest('hex').slice(0, 10)
  const full = `pilotwire_${name}_${digest}`
  return { name: full, create: `CREATE OR REPLACE FUNCTION ${full} ${definition}` }
}

const apply = stored('apply', APPLY)
const claim = stored('claim', CLAIM)
const load = stored('load', LOAD)

export const FUNCTIONS = {
  apply,
  commitGroup: stored('commit_group', commitGroup(apply.name)),
  commitEach: stored('commit_each', commitEach(apply.name)),
  claim,
  load,
  take: stored('take', take(claim.name, load.name)),
  lookUp: stored('look_up', LOOK_UP),
  takeTokens: stored('take_tokens', TAKE_TOKENS),
  occupy: stored('occupy', OCCUPY),
} as const
