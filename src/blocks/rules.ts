/** Which rule decides which input of a block; an input without one does not compile. */
import type { BlockDraft } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import type { BlockInput } from '../records/records.ts'
import {
  onCertificateRefused,
  onCertificateRevoked,
  onCertificateShown,
  onCertificatesReported,
} from './certificates/certificates.ts'
import {
  onCertificateAwaited,
  onCertificateMade,
  onCertificateNotMade,
  onCertificateQueued,
  onCertificateWanted,
} from './certificates/requests.ts'
import {
  onFirmwareAnswered,
  onFirmwareBooted,
  onFirmwareCallOrdered,
  onFirmwareDue,
  onFirmwareOrdered,
  onFirmwareRecalled,
  onFirmwareStatus,
} from './firmware/rules.ts'
import {
  onLogAnswered,
  onLogCallOrdered,
  onLogDue,
  onLogFileStored,
  onLogRequested,
  onLogStatus,
} from './logs/rules.ts'
import { onCallPutBack, onCallSent } from './outgoing-calls/rules.ts'
import {
  onProfileJobsDue,
  onProfileSeen,
  onProfileStepDone,
  onProfileStepFailed,
  onProfileWanted,
} from './profile-jobs/rules.ts'
import { onMeterKeysSeen } from './signed-values/rules.ts'

type Rules = {
  readonly [Kind in BlockInput['kind']]: (
    draft: BlockDraft,
    input: Extract<BlockInput, { readonly kind: Kind }>,
  ) => Outcome
}

const RULES: Rules = {
  callSent: onCallSent,
  callPutBack: onCallPutBack,
  meterKeysSeen: onMeterKeysSeen,
  logRequested: onLogRequested,
  logCallOrdered: onLogCallOrdered,
  logAnswered: onLogAnswered,
  logStatus: onLogStatus,
  logFileStored: onLogFileStored,
  logDue: onLogDue,
  firmwareOrdered: onFirmwareOrdered,
  firmwareCallOrdered: onFirmwareCallOrdered,
  firmwareAnswered: onFirmwareAnswered,
  firmwareStatus: onFirmwareStatus,
  firmwareDue: onFirmwareDue,
  firmwareRecalled: onFirmwareRecalled,
  certificateWanted: onCertificateWanted,
  certificateMade: onCertificateMade,
  certificateNotMade: onCertificateNotMade,
  certificateAwaited: onCertificateAwaited,
  certificateQueued: onCertificateQueued,
  certificateShown: onCertificateShown,
  certificateRefused: onCertificateRefused,
  certificateRevoked: onCertificateRevoked,
  certificatesReported: onCertificatesReported,
  profileWanted: onProfileWanted,
  profileStepDone: onProfileStepDone,
  profileStepFailed: onProfileStepFailed,
  profileSeen: onProfileSeen,
  profileJobsDue: onProfileJobsDue,
}

export function decideBlock(draft: BlockDraft, input: BlockInput): Outcome {
  const rule = RULES[input.kind] as (draft: BlockDraft, input: BlockInput) => Outcome
  return rule(draft, input)
}

/** A charge point booted: what blocks make of it, in the same commit. */
export function bootedInBlocks(draft: BlockDraft, firmwareVersion: string | undefined): void {
  onFirmwareBooted(draft, firmwareVersion)
}
