/** Orders as people type them, such as “reset EV-001” or “EV-001 neu starten” (CONSOLE-J3). */
import { chargePointTexts, jumpTexts } from '../kit/texts.ts'

const ORDERS = ['reset', 'unlock', 'inoperative', 'operative', 'clearCache'] as const

export interface TypedOrder {
  readonly order: (typeof ORDERS)[number]
  readonly of: string
}

const VERBS: readonly (readonly [verb: string, order: TypedOrder['order']])[] = (['en', 'de'] as const).flatMap(
  (language) => {
    const [names, also] = [chargePointTexts({ language }), Object.entries(jumpTexts({ language }).also)]
    return ORDERS.flatMap((order) =>
      [names[order], ...also.filter(([of]) => of === order).map(([, verb]) => verb)].map(
        (verb) => [verb.toLowerCase(), order] as const,
      ),
    )
  },
)

export function readOrder(typed: string): TypedOrder | undefined {
  const text = typed.toLowerCase()
  for (const [verb, order] of VERBS) {
    if (text.startsWith(`${verb} `)) return { order, of: typed.slice(verb.length).trim() }
    if (text.endsWith(` ${verb}`)) return { order, of: typed.slice(0, -verb.length).trim() }
  }
  return undefined
}
