/** The event about roaming partners: one was registered, suspended, taken up again, removed (OCPI-A8). */
import { event, type MadeUp, type Zod } from '../event-declaration.ts'
import { PARTNER_STATES, type Partner } from './records.ts'

export interface PartnerNews extends Pick<Partner, 'partnerId' | 'name' | 'state'> {
  readonly previousState: Partner['state']
}

const schema = (z: Zod) =>
  z
    .strictObject({
      partnerId: z.string(),
      name: z.string(),
      state: z.enum(PARTNER_STATES),
      previousState: z.enum(PARTNER_STATES),
    })
    .openapi('PartnerNews')

export const partnerChanged = event('ocpi.partner', {
  about: 'chargePoint',
  readBy: 'account',
  subject: ({ partnerId }: PartnerNews) => partnerId,
  orderKey: ({ partnerId }) => `partner ${partnerId}`,
  coalesceKey: undefined,
  data: schema,
  represent: ({ partnerId, name, state, previousState }) => ({ partnerId, name, state, previousState }),
  sample: (_: MadeUp): PartnerNews => ({
    partnerId: 'p4hs8e2nq7',
    name: 'Example Roaming',
    state: 'registered',
    previousState: 'invited',
  }),
  documentation: {
    component: 'PartnerEvent',
    summary: 'The state of a roaming partner changed',
    description:
      'Sent when a partner has registered, was suspended or taken up again, or was removed, by us or by itself. No application is sent it.',
  },
})

export const PARTNER_EVENTS = [partnerChanged] as const
