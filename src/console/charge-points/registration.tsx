/** Registering charge points, changing and deleting them: the orders of the API (API-A5), as forms. */

import type { FC } from 'hono/jsx'
import {
  changeChargePoint,
  type Labels,
  labelFault,
  type RequestedChange,
  registerChargePoint,
} from '../../application/charge-points/register.ts'
import { removingEvses } from '../../application/locations/change.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import { NAME, textFault } from '../../domain/typed-text.ts'
import { isProtocol, PROTOCOLS, protocolName } from '../../ocpp/versions.ts'
import { Action, type Frame, Page, type Typed } from '../../web/entries.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { type Field, type Fields, Form, typedWith } from '../kit/form.tsx'
import { Way } from '../kit/list.tsx'
import { chargePointTexts } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { labelLines } from '../selector/selector-form.ts'
import { acting, actingPage, again, type Shown, type Visit } from '../visit.tsx'
import { actingOnStation, actionOf, pathOf, showingStation } from './own-charge-point.ts'
import { shownNow } from './shown-charge-point.ts'
import { StationHead } from './station-head.tsx'

export const showNewChargePoint: ConsolePage = actingPage(async (visit) => {
  // Of one that was refused, the list of refusals says who it is.
  const form = new URLSearchParams({ securityProfile: '1', id: visit.context.req.query('id') ?? '' })
  return newPage(visit, { form, faults: {} })
})

const NEW = 'new charge point'

export const addChargePoint: ConsolePage = acting(NEW, async (visit, form) => {
  const { site, frame, accountId } = visit
  const { faults, name, protocols, validation, labels, securityProfile } = readRegistration(form)
  const notAdded = (refusal: Refusal): Shown => again(newPage(visit, typedWith(form, refusal)), shown(refusal))
  if (faults.length > 0) return notAdded(refuseFaults(faults))
  const password = form.get('password') ?? ''
  const registered = await registerChargePoint(site, {
    id: (form.get('id') ?? '').trim(),
    accountId,
    securityProfile,
    labels,
    ...(name !== '' && { name }),
    ...(protocols.length > 0 && { protocols }),
    validation,
    ...(password !== '' && { password }),
  })
  if ('refused' in registered) return notAdded(registered)
  const { view, password: made } = registered
  if (made === undefined) return pathOf(view.id)
  return { page: <PasswordPage frame={frame} id={view.id} password={made} event="made" />, status: 200 }
})

export const showEdit: ConsolePage = showingStation('operate', async (visit, view) =>
  editPage(visit, view, { form: formOf(view), faults: {} }),
)

export const editChargePoint: ConsolePage = actingOnStation(async (visit, before, form) => {
  const typed = readRegistration(form)
  const changed =
    typed.faults.length > 0
      ? refuseFaults(typed.faults)
      : await changeChargePoint(visit.site, before, changeTo(before, typed, form.get('disabled') === 'yes'))
  if (!('refused' in changed)) return pathOf(before.id)
  return again(await editPage(visit, before, typedWith(form, changed)), shown(changed))
})

/** One is generated unless it was typed; the charge point is disconnected. */
export const setPassword: ConsolePage = actingOnStation(async (visit, before, form) => {
  const typed = form.get('password') ?? ''
  const password = typed === '' ? visit.site.random(PASSWORD_BYTES).toString('hex') : typed
  const changed = await changeChargePoint(visit.site, before, { password })
  if ('refused' in changed) {
    const stored = { form: formOf(before), faults: {} }
    const wrong = typedWith(form, changed)
    return again(await editPage(visit, before, stored, wrong), shown(changed))
  }
  if (typed !== '') return pathOf(before.id)
  return {
    page: <PasswordPage frame={visit.frame} id={before.id} password={password} event="changed" />,
    status: 200,
  }
})

/** 40 characters. */
const PASSWORD_BYTES = 20

export const deleteChargePoint: ConsolePage = actingOnStation(async ({ site, accountId }, { id: chargePointId }) => {
  const remove = () => site.core.removeChargePoint(accountId, chargePointId)
  const removed = await removingEvses(site, { accountId, chargePointId }, remove)
  return 'refused' in removed ? removed : '/charge-points'
})

function shown({ status }: Refusal): { readonly status: number } {
  return { status: status === 403 ? 400 : status }
}

interface TypedRegistration {
  readonly name: string
  readonly securityProfile: 0 | 1 | 2 | 3
  readonly protocols: readonly string[]
  readonly validation: 'strict' | 'lenient' | 'off' | undefined
  readonly labels: Labels
  readonly faults: readonly Fault[]
}

const VALIDATIONS = ['strict', 'lenient', 'off'] as const

function readRegistration(form: URLSearchParams): TypedRegistration {
  const text = (name: string): string => (form.get(name) ?? '').trim()
  const faults: Fault[] = []
  const fault = (name: string, message: string): void =>
    void faults.push({ pointer: `/${name}`, code: 'invalid_value', message })
  const name = text('name')
  const unusable = name === '' ? undefined : textFault(name, NAME)
  if (unusable) faults.push({ pointer: '/name', ...unusable })
  const profile = ([0, 1, 2, 3] as const).find((one) => String(one) === text('securityProfile'))
  if (profile === undefined) fault('securityProfile', 'must be 0, 1, 2 or 3')
  const protocol = text('protocols')
  if (protocol !== '' && !isProtocol(protocol)) fault('protocols', `must be one of ${PROTOCOLS.join(', ')}`)
  const validation = VALIDATIONS.find((one) => one === text('validation'))
  if (text('validation') !== '' && !validation) fault('validation', `must be one of ${VALIDATIONS.join(', ')}`)
  const { labels, wrong } = readLabels(form.get('labels') ?? '')
  for (const { line, message } of wrong) fault('labels', `“${line.slice(0, 80)}” ${message}`)
  return {
    name,
    securityProfile: profile ?? 1,
    protocols: protocol === '' ? [] : [protocol],
    validation,
    labels,
    faults,
  }
}

function readLabels(text: string): {
  readonly labels: Labels
  readonly wrong: readonly { readonly line: string; readonly message: string }[]
} {
  const labels = new Map<string, string>()
  const wrong: { line: string; message: string }[] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const colon = line.indexOf(':')
    const [key, value] = [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()]
    const found = colon < 0 ? { message: 'is not key:value' } : labelFault(key, value)
    if (found) wrong.push({ line, message: found.message })
    else labels.set(key, value)
  }
  return { labels: Object.fromEntries(labels), wrong }
}

function changeTo(before: ChargePointView, typed: TypedRegistration, disabled: boolean): RequestedChange {
  const removed = Object.keys(before.labels ?? {}).filter((key) => !Object.hasOwn(typed.labels, key))
  return {
    name: typed.name === '' ? null : typed.name,
    ...(typed.securityProfile !== before.securityProfile && { securityProfile: typed.securityProfile }),
    protocols: typed.protocols.length > 0 ? typed.protocols : null,
    validation: typed.validation ?? null,
    labels: { ...Object.fromEntries(removed.map((key) => [key, null])), ...typed.labels },
    disabled,
  }
}

function formOf({ name, securityProfile, protocols, validation, labels, disabled }: ChargePointView): URLSearchParams {
  return new URLSearchParams({
    name: name ?? '',
    securityProfile: String(securityProfile),
    protocols: protocols?.length === 1 ? (protocols[0] ?? '') : '',
    validation: validation ?? '',
    labels: labelLines(labels),
    ...(disabled && { disabled: 'yes' }),
  })
}

function newPage(visit: Visit, typed: Typed) {
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

async function editPage(visit: Visit, view: ChargePointView, typed: Typed, wrongPassword?: Typed) {
  const { frame, context, csrf } = visit
  const words = chargePointTexts(frame)
  const { id } = view
  const path = chargePointPath(frame, id)
  const form = { visit, action: actionOf(context), refused: words.notSaved }
  return (
    <Page frame={frame} title={`${words.edit} ${id}`} wide>
      <StationHead visit={visit} chargePoint={await shownNow(visit, view)} at="access" />
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
      <Action
        to={`${path}/delete`}
        csrf={csrf(form.action)}
        style="danger"
        ask={words.deleteLead}
        order={words.deleteOf(id)}
        text={words.delete}
      />
    </Page>
  )
}

type PasswordPageProps = { frame: Frame; id: string; password: string; event: 'made' | 'changed' }

/** Shown once: it cannot be read again. */
const PasswordPage: FC<PasswordPageProps> = ({ frame, id, password: shown, event }) => {
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
