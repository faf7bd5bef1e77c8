/** The table of docs/webhooks.md by which others turn our states into OCPI's. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { SessionState } from '../domain/ports/sessions.ts'
import { SESSION_STATES } from '../domain/states.ts'

/** A state that is added to the model does not compile here before it has a place. */
const OCPI_STATUS: Readonly<Record<SessionState, 'PENDING' | 'ACTIVE' | 'COMPLETED' | 'INVALID'>> = {
  pending: 'PENDING',
  charging: 'ACTIVE',
  suspended: 'ACTIVE',
  finishing: 'ACTIVE',
  completed: 'COMPLETED',
  failed: 'INVALID',
}

it('API-G3: gives every state of the API exactly one OCPI session status, the right one', () => {
  const [, table = ''] = /\| OCPI session status \|\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(read()) ?? []
  const rows = table.trimEnd().split('\n')
  const mapped = rows.map((row) => /^\| `(\w+)` \| `([A-Z]+)` \|$/.exec(row)?.slice(1) ?? [row])
  expect(mapped).toEqual(SESSION_STATES.map((state) => [state, OCPI_STATUS[state]]))
  expect(Object.keys(OCPI_STATUS)).toEqual([...SESSION_STATES])
})

function read(): string {
  return readFileSync('docs/webhooks.md', 'utf8')
}
