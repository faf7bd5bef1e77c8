import type { FC } from 'hono/jsx'
import { INSTALLABLE } from '../../application/certificates/schemas.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { Choice, Entry, Lines, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import type { Frame } from '../../web/layout.tsx'
import { chargePointPath } from '../paths.ts'
import { certificateTexts } from './texts.ts'

export interface StationFormsProps {
  readonly frame: Frame
  readonly view: ChargePointView
  readonly csrf: string
  readonly once: (form: string) => string
  /** Of the form that was refused. */
  readonly typed: Typed
}

const TYPES = Object.fromEntries(INSTALLABLE.map((type) => [type, type]))

/** What is done about the certificates of one charge point, a form each. */
export const StationForms: FC<StationFormsProps> = ({ frame, view, csrf, once, typed }) => {
  const words = certificateTexts(frame)
  const path = `${chargePointPath(frame, view.id)}/certificates`
  const fault = typed.faults.form
  return (
    <>
      {fault !== undefined && (
        <p class="card warn" role="alert">
          {fault}
        </p>
      )}
      <form class="card" method="post" action={`${path}/install`}>
        <h2>{words.install}</h2>
        <Sealed csrf={csrf} once={once('install')} />
        <Choice label={words.type} name="certificateType" typed={typed} options={TYPES} />
        <Lines label={words.pem} name="certificate" typed={typed} required />
        <Submit>{words.installButton}</Submit>
      </form>
      <form class="card" method="post" action={`${path}/profile`}>
        <h2>{words.profile}</h2>
        <p class="soft">{words.raiseHint}</p>
        <Sealed csrf={csrf} once={once('profile')} />
        <Choice label={words.raiseTo} name="securityProfile" typed={typed} value="3" options={words.profiles} />
        <Submit>{words.raise}</Submit>
      </form>
      <form class="card" method="post" action={`${path}/checks`}>
        <h2>{words.checks}</h2>
        <Sealed csrf={csrf} />
        <label class="choice">
          <input type="checkbox" name="acceptExpired" value="yes" checked={view.acceptExpired === true} />
          <span>{words.acceptExpired}</span>
        </label>
        <Choice
          label={words.subjectCheck}
          name="subjectCheck"
          typed={typed}
          value={view.subjectCheck ?? 'contains'}
          options={words.subjectChecks}
        />
        <Entry
          label={words.expectedSerialNumber}
          name="expectedSerialNumber"
          typed={typed}
          value={view.expectedSerialNumber ?? ''}
          hint={words.expectedSerialHint}
        />
        <Submit>{words.save}</Submit>
      </form>
    </>
  )
}
