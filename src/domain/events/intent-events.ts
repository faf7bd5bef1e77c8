/** The events about intents (INTENT-A9). */

import { event, timeSchema, type Zod } from '../event-declaration.ts'
import { INTENT_KINDS, INTENT_STATES, type Intent } from '../intents/records.ts'
import { isoTime } from '../iso-time.ts'

/** Stands for a secret value. */
const HIDDEN = '***'

export const intentSchema = (z: Zod) =>
  z
    .strictObject({
      id: z.string(),
      evseControllerId: z.string(),
      kind: z.enum(INTENT_KINDS),
      key: z.string().openapi({
        description:
          'What is set: a configuration key, or `Component[instance].Variable[instance]` with `/evse/connector/` in front where there is one.',
      }),
      desired: z.unknown().openapi({ description: 'The desired value; *** where it is a secret.' }),
      revision: z.int().openapi({ description: 'Rises with each new desired value.' }),
      appliedRevision: z.int().optional().openapi({ description: 'The newest one that the station accepted.' }),
      state: z.enum(INTENT_STATES).openapi({
        description:
          'pending: waits to be sent. sent: its command is under way. applied: accepted. verified: read back and found so. rebootRequired: takes effect with a restart. rejected: the station, or what is known of it, does not allow it. unsupported: it has no such thing. conflict: it keeps another value. expired: not sent in time.',
      }),
      reason: z.string().optional(),
      attempts: z.int(),
      nextAttemptAt: timeSchema(z).optional(),
      expiresAt: timeSchema(z).optional(),
      commandId: z.string().optional().openapi({ description: 'The command that carried it last.' }),
      updatedAt: timeSchema(z),
    })
    .openapi('Intent')

export function representIntent(intent: Intent) {
  const { chargePointId, kind, key, desired, isSecret, revision, appliedRevision, state, reason, attempts } = intent
  const { nextAttemptAt, expiresAt, commandId, updatedAt } = intent
  return {
    id: `${chargePointId}/${kind}/${key}`,
    evseControllerId: chargePointId,
    kind,
    key,
    desired: isSecret ? HIDDEN : desired,
    revision,
    appliedRevision,
    state,
    reason,
    attempts,
    nextAttemptAt: isoTime(nextAttemptAt),
    expiresAt: isoTime(expiresAt),
    commandId,
    updatedAt: isoTime(updatedAt),
  }
}

export const intentChanged = event('intent.changed', {
  about: 'chargePoint',
  subject: (intent: Intent) => intent.chargePointId,
  coalesceKey: undefined,
  data: intentSchema,
  represent: representIntent,
  sample: ({ accountId, chargePointId, now }): Intent => ({
    chargePointId,
    accountId,
    kind: 'configurationKey',
    key: 'MeterValueSampleInterval',
    desired: '60',
    isSecret: false,
    revision: 1,
    appliedRevision: 1,
    state: 'verified',
    attempts: 1,
    drifts: [],
    updatedAt: now,
  }),
  documentation: {
    component: 'IntentEvent',
    summary: 'An intent for a charge point changed its state',
    description:
      'Sent when an intent is ordered, sent, accepted, found applied, refused, given up or changed; not when it is tried again.',
  },
})

export const INTENT_EVENTS = [intentChanged] as const
