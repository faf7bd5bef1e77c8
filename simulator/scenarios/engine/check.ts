import { suggestion } from '../../../src/config/suggest.ts'
import type { Payload } from '../../../src/ocpp/payload.ts'
import { validatorFor } from '../../../src/ocpp/schema/validators.ts'
import { findQuirks } from '../../quirks/apply.ts'
import type { Scenario, Step } from './scenario.ts'
import { WORDS } from './words.ts'

type Fault = (line: number, text: string) => void

const SENDING = new Set(['boot', 'powerUp', 'call', 'say'])
const NAMES_METHOD = new Set(['call', 'said', 'received', 'command', 'logged'])

export function checkScenario(scenario: Pick<Scenario, 'versions' | 'connectors' | 'quirks' | 'steps'>, fault: Fault) {
  const { steps, connectors, versions } = scenario
  const [first] = steps
  if (first && !steps.some(({ kind }) => SENDING.has(kind)))
    fault(first.line, 'no step sends anything: expected a boot before the others')
  for (const step of steps) {
    const { args, line, kind } = step
    if (typeof args.connector === 'number' && args.connector > connectors)
      fault(line, `${kind}: connector is ${args.connector}: this scenario has ${connectors} (see connectors)`)
    if (kind === 'limit' && (args.amps === undefined) === (args.watts === undefined))
      fault(line, 'limit: expected amps or watts')
    if (kind === 'plug' && args.needs !== undefined && typeof (args.needs as Payload).energyKwh !== 'number')
      fault(line, 'plug: needs without energyKwh: expected kilowatt-hours')
    if (NAMES_METHOD.has(kind)) checkMethod(step, versions, fault)
    for (const word of unknownWords(args)) {
      const close = suggestion(word, WORDS)
      fault(
        line,
        `${kind}: there is no \${${word}}: ${close ? `did you mean ${close}?` : `expected ${WORDS.join(', ')}`}`,
      )
    }
  }
}

export function foreignQuirks({ versions, quirks }: Pick<Scenario, 'versions' | 'quirks'>): readonly string[] {
  return findQuirks(quirks)
    .filter((quirk) => !versions.every((version) => quirk.versions.includes(version)))
    .map(({ name }) => name)
}

/** An unknown one may be said where a CALLERROR is expected, or to see what comes of it. */
function checkMethod({ kind, args, line }: Step, versions: Scenario['versions'], fault: Fault): void {
  if (typeof args.method !== 'string' || args.error !== undefined) return
  const { method } = args
  const foreign = versions.find((version) => !validatorFor(`ocpp${version}`, method, 'req', 'quick'))
  if (foreign) fault(line, `${kind}: there is no method ${method} in OCPP ${foreign}`)
}

const ANY_WORD = /\$\{([^}]*)\}/g
const WITH_OFFSET = /^time[+-]\d+$/

function unknownWords(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const found = [...value.matchAll(ANY_WORD)].map(([, word = '']) => word)
    return found.filter((word) => !WORDS.includes(word) && !WITH_OFFSET.test(word))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(unknownWords)
}
