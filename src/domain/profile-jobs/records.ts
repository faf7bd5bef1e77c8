/** Jobs that move a charge point to another security profile, step by step (CERT-C25). */
import { flag, type InputsOf, integer, optional, type RecordOf, record, since, text } from '../records/record.ts'

/** In their order; a version leaves out those that it does not have. `seen`: it came back on the new profile. */
export const PROFILE_STEPS = [
  'installCertificate',
  'freeSlot',
  'setNetworkProfile',
  'setSecurityProfile',
  'setPriority',
  'reset',
  'seen',
] as const

export type ProfileStep = (typeof PROFILE_STEPS)[number]

/** Jobs that raise a security profile, by charge point. */
export const profileJobs = record('security_profile_jobs', {
  key: ['chargePointId', 'id'],
  columns: {
    chargePointId: text(),
    id: text(),
    accountId: text(),
    securityProfile: integer(),
    state: text<'running' | 'done' | 'failed' | 'cancelled'>(),
    step: text<ProfileStep>(),
    reason: optional(text()),
    createdAt: integer(),
    updatedAt: integer(),
    /** It fails then; absent once it is over. */
    dueAt: optional(integer()),
    /** It said that it resets once it is idle, which it may not be for hours. */
    isScheduled: since(2, optional(flag())),
    losses: since(3, optional(integer())),
    /** Whose application ordered it; absent: the account's own. */
    grantId: since(4, optional(text())),
  },
  indexes: [['dueAt']],
  loadedWith: 'chargePoint',
  upgrades: [(older) => older, (older) => older, (older) => older],
})

export type ProfileJob = RecordOf<typeof profileJobs>

/** What happens to a charge point's job; rules.ts decides what follows. */
export type ProfileJobInput = InputsOf<{
  profileRequested: {
    id: string
    securityProfile: number
    /** Of its version, `seen` at the end. */
    steps: readonly ProfileStep[]
    present: number
    /** The way back from 3 to 2 is allowed (OCPP21-B10). */
    mayLower?: boolean | undefined
    grantId?: string | undefined
  }
  profileStepDone: {
    id: string
    step: ProfileStep
    next: ProfileStep
    isScheduled?: true | undefined
  }
  profileStepFailed: { id: string; step: ProfileStep; reason: string }
  /** Its connection ended, or no answer came: it is unknown whether the charge point has it. */
  profileStepLost: { id: string; step: ProfileStep; reason: string }
  profileCancelled: { id: string }
  profileSeen: { securityProfile: number }
  profileJobsDue: unknown
}>
