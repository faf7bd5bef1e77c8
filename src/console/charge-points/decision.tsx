import type { FC } from 'hono/jsx'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { Sealed } from '../../web/entries.tsx'
import type { Frame } from '../../web/layout.tsx'
import { chargePointTexts } from '../kit/texts.ts'
import { chargePointPath } from '../paths.ts'

/** As in `csrfToken`: one token for all that wait. */
export const DECISION = 'charge points'
export const DECIDED_AT = 'at'

/** OCPP-AU5: approved without a password, the identity would be open to everybody who knows it. */
export const Decision: FC<{
  frame: Frame
  view: Pick<ChargePointView, 'id' | 'securityProfile' | 'passwordHash'>
  csrf: string
  at?: 'its page'
}> = ({ frame, view: { id, securityProfile, passwordHash }, csrf, at }) => {
  const words = chargePointTexts(frame)
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
