import type { FC } from 'hono/jsx'
import { PROTOCOLS, protocolName } from '../../ocpp/protocols.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { type Field, type Fields, Form } from '../kit/form.tsx'
import { Way } from '../kit/list.tsx'
import { chargePointTexts } from '../kit/texts.ts'
import { chargePointPath } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { actionOf } from './own-charge-point.ts'
import type { ShownChargePoint } from './shown-charge-point.ts'
import { StationHead } from './station-head.tsx'

export const NEW = 'new charge point'

export const NewChargePointPage: FC<{ visit: Visit; typed: Typed }> = ({ visit, typed }) => {
  const { frame } = visit
  const words = chargePointTexts(frame)
  return (
    <Page frame={frame} title={words.add}>
      <h1>{words.add}</h1>
      <Form
        visit={visit}
        action={NEW}
        to={`${frame.root}/new-charge-point`}
        typed={typed}
        refused={words.notSaved}
        once
        fields={[
          { name: 'id', label: words.identity, hint: words.identityHint, required: true },
          ...attributes(frame),
          password(frame),
        ]}
        submit={words.add}
      />
    </Page>
  )
}

export const EditPage: FC<{
  readonly visit: Visit
  readonly chargePoint: ShownChargePoint
  readonly typed: Typed
  readonly wrongPassword: Typed | undefined
}> = ({ visit, chargePoint, typed, wrongPassword = NOTHING_TYPED }) => {
  const { frame, context } = visit
  const words = chargePointTexts(frame)
  const { id } = chargePoint.view
  const path = chargePointPath(frame, id)
  const form = { visit, action: actionOf(context), refused: words.notSaved }
  return (
    <Page frame={frame} title={`${words.edit} ${id}`} wide>
      <StationHead visit={visit} chargePoint={chargePoint} at="access" />
      <Form
        {...form}
        to={`${path}/edit`}
        typed={typed}
        fields={[...attributes(frame), { name: 'disabled', label: words.outOfUse, tick: true }]}
        submit={words.save}
      />
      <Form
        {...form}
        to={`${path}/password`}
        title={words.newPassword}
        lead={words.passwordLead}
        typed={wrongPassword}
        once
        fields={[password(frame)]}
        submit={words.setPassword}
      />
      <Way to={`${path}/delete`} text={words.deleteAsk} />
    </Page>
  )
}

/** Shown once: nobody can read it again. */
export const PasswordPage: FC<{ frame: Frame; id: string; password: string; event: 'made' | 'changed' }> = ({
  frame,
  id,
  password: shown,
  event,
}) => {
  const words = chargePointTexts(frame)
  return (
    <Page frame={frame} title={words.newPassword}>
      <div class="card">
        <h1>
          <bdi class="host">{id}</bdi>
        </h1>
        <p role="status">{words[event]}</p>
        <p>{words.passwordOnce}</p>
        <p>
          <input class="copied" readonly value={shown} aria-label={words.stationPassword} />
        </p>
        <Way to={chargePointPath(frame, id)} text={words.goOn} />
      </div>
    </Page>
  )
}

function password(frame: Frame): Field {
  const { stationPassword, passwordHint } = chargePointTexts(frame)
  return { name: 'password', label: stationPassword, hint: passwordHint, maxlength: 40, secret: true }
}

function attributes(frame: Frame): Fields {
  const words = chargePointTexts(frame)
  const protocols = Object.fromEntries(PROTOCOLS.map((name) => [name, protocolName(name)]))
  return [
    { name: 'name', label: words.name },
    { name: 'labels', label: words.labels, hint: words.labelsHint, lines: true },
    { name: 'securityProfile', label: words.profile, options: words.profiles },
    { name: 'protocols', label: words.protocols, options: { '': words.allProtocols, ...protocols } },
    {
      name: 'validation',
      label: words.validation,
      options: { '': words.asConfigured, ...words.validations },
    },
  ]
}
