/** Charge points that wait are approved or rejected (CONSOLE-A20). */
import type { FC } from 'hono/jsx'
import { changeChargePoint } from '../../application/charge-points/register.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { refuseFault } from '../../domain/refuse.ts'
import { type Frame, Sealed } from '../../web/entries.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { wordsIn } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { acting } from '../visit.tsx'
import { orderedChargePoint, pathOf } from './own-charge-point.ts'

/** As in `csrfToken`: one token for all that wait. */
export const DECISION = 'charge points'
const DECIDED_AT = 'at'

export const decideRegistration: ConsolePage = acting(DECISION, async (visit, form) => {
  const decision = form.get('registrationStatus')
  const withCertificate = decision === 'AcceptedWithCertificate'
  const registrationStatus = withCertificate ? 'Accepted' : decision
  if (registrationStatus !== 'Accepted' && registrationStatus !== 'Rejected') {
    return refuseFault('/registrationStatus', 'invalid_value', 'must be Accepted or Rejected')
  }
  const chargePoint = await orderedChargePoint(visit)
  if ('refused' in chargePoint) return chargePoint
  const password = form.get('password') ?? ''
  const changed = await changeChargePoint(visit.site, chargePoint, {
    registrationStatus,
    ...(withCertificate && { securityProfile: 3 as const }),
    ...(password !== '' && decision === 'Accepted' && { password }),
  })
  if ('refused' in changed) return changed
  return form.get(DECIDED_AT) === null ? '/charge-points' : pathOf(chargePoint.id)
})

/** OCPP-AU5: approved without a password, the identity would be open to everybody who knows it. */
export const Decision: FC<{
  frame: Frame
  view: Pick<ChargePointView, 'id' | 'securityProfile' | 'passwordHash'>
  csrf: string
  at?: 'its page'
}> = ({ frame, view: { id, securityProfile, passwordHash }, csrf, at }) => {
  const words = wordsIn('chargePoints', frame)
  const needsPassword = securityProfile !== 0 && passwordHash === undefined
  return (
    <form method="post" action={`${chargePointPath(frame, id)}/registration`}>
      <Sealed csrf={csrf} />
      {at !== undefined && <input type="hidden" name={DECIDED_AT} value={at} />}
      {needsPassword && (
        <label>
          {words.stationPassword}
          <input type="text" name="password" required minlength={16} maxlength={40} autocomplete="off" />
          <span class="soft">{words.stationPasswordHint}</span>
        </label>
      )}
      <div class="filters">
        <button class="main" type="submit" name="registrationStatus" value="Accepted">
          {words.approve}
        </button>
        <button type="submit" name="registrationStatus" value="AcceptedWithCertificate" formnovalidate>
          {words.approveWithCertificate}
        </button>
        <button class="danger" type="submit" name="registrationStatus" value="Rejected" formnovalidate>
          {words.reject}
        </button>
      </div>
    </form>
  )
}
