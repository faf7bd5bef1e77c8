/** Which operations are about one charge point, many, or this node alone (STORE-M2). A missing one does not compile. */
import type { Core } from '../../domain/ports/core.ts'

/** After the node is gone: `again` is idempotent; `look` checks the store first; `tell` reports an unknown outcome. */
type WhenUnknown = 'again' | 'look' | 'tell'

interface OfOne<Args extends readonly unknown[]> {
  readonly about: 'a charge point'
  readonly of: (...args: Args) => { readonly chargePointId: string } | { readonly sessionId: string }
  readonly whenUnknown: WhenUnknown
}

type Operation<Args extends readonly unknown[]> =
  | OfOne<Args>
  | { readonly about: 'many charge points' }
  | { readonly about: 'this node' }

const MANY = { about: 'many charge points' } as const
const THIS_NODE = { about: 'this node' } as const

export const OPERATIONS = {
  admit: THIS_NODE,
  opened: THIS_NODE,
  closed: THIS_NODE,
  submit: THIS_NODE,
  alive: THIS_NODE,

  sendCommand: { about: 'a charge point', of: (order) => order, whenUnknown: 'look' },
  dropCommands: { about: 'a charge point', of: (order) => order, whenUnknown: 'again' },
  startSession: { about: 'a charge point', of: (order) => order, whenUnknown: 'look' },
  stopSession: { about: 'a charge point', of: (_, sessionId) => ({ sessionId }), whenUnknown: 'again' },
  settle: { about: 'a charge point', of: (order) => order, whenUnknown: 'again' },
  decideBlock: { about: 'a charge point', of: (order) => order, whenUnknown: 'tell' },
  orderReport: { about: 'a charge point', of: (order) => order, whenUnknown: 'tell' },
  removeChargePoint: { about: 'a charge point', of: (_, chargePointId) => ({ chargePointId }), whenUnknown: 'again' },
  disconnect: { about: 'a charge point', of: (chargePointId) => ({ chargePointId }), whenUnknown: 'again' },

  settleConfigurations: MANY,
  configurationsChanged: MANY,
  connectivity: MANY,
  limitViews: MANY,
  onlineChargePoints: MANY,
  networks: MANY,

  // Authorities belong to the installation, in its database.
  prepareAuthorities: THIS_NODE,
  // Counted per process; the monitoring system adds them up.
  statistics: THIS_NODE,
  leave: THIS_NODE,
  drain: THIS_NODE,
} as const satisfies { readonly [Name in keyof Core]: Operation<Parameters<Core[Name]>> }

type Operations = typeof OPERATIONS
type NamesAbout<About extends string> = {
  [Name in keyof Operations]: Operations[Name]['about'] extends About ? Name : never
}[keyof Operations]

export type NameOfOne = NamesAbout<'a charge point'>
export type NameOfMany = NamesAbout<'many charge points'>

export const namesOfOne = (Object.keys(OPERATIONS) as (keyof Core)[]).filter(
  (name): name is NameOfOne => OPERATIONS[name].about === 'a charge point',
)

export function subjectOf(
  name: NameOfOne,
  args: readonly unknown[],
): { readonly chargePointId: string } | { readonly sessionId: string } {
  return (OPERATIONS[name].of as (...args: readonly unknown[]) => ReturnType<OfOne<[]>['of']>)(...args)
}
