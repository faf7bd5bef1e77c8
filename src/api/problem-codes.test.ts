import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PROBLEM_TITLES } from './problem-codes.ts'

/** What a use case or a decision of the domain refuses with, as it stands in the source. */
const REFUSED = /(?:refuse\(\s*\d{3},\s*|refuseFault\([^,]+,\s*|pointer: [^,]+, code: )'([a-z]+(?:_[a-z]+)+)'/g

it('API-E1: every code that a use case refuses with has a title, to which the type of its problem leads', () => {
  const source = new URL('..', import.meta.url)
  const codes = readdirSync(source, { recursive: true, encoding: 'utf8' })
    // What only pages order of intents becomes no problem.
    .filter((file) => /^(application|domain|core)\/.*(?<!\.test)\.ts$/.test(file) && !file.includes('/intents/'))
    .flatMap((file) => [...readFileSync(new URL(file, source), 'utf8').matchAll(REFUSED)].map(([, code = '']) => code))
  expect(codes.length).toBeGreaterThan(100)
  expect([...new Set(codes)].filter((code) => !(code in PROBLEM_TITLES))).toEqual([])
})
