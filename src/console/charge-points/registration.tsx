/** Registering charge points, changing and deleting them: the orders of the API (API-A5), as forms. */

import type { FC } from 'hono/jsx'
import { changeChargePoint, registerChargePoint } from '../../application/charge-points/register.ts'
import { removingEvses } from '../../application/locations/change.ts'
import { ChangeChargePointSchema, CreateChargePointSchema } from '../../application/schemas/charge-points.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { PROTOCOLS, protocolName } from '../../ocpp/versions.ts'
import { type Frame, Page, type Typed } from '../../web/entries.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { checkedForm, Deletion, type Field, type Fields, Form, filledIn, typedNumber, typedWith } from '../kit/form.tsx'
import { Way } from '../kit/list.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { labelFaults, labelLines, typedLabels } from '../selector/selector-form.ts'
import { acting, actingPage, again, type Visit } from '../visit.tsx'
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
  const body = {
    ...typedAttributes(form),
    id: form.get('id')?.trim() ?? '',
    password: form.get('password') || undefined,
  }
  const asked = checkedForm(CreateChargePointSchema, body, labelFaults(form))
  const registered =
    'refused' in asked ? asked : await registerChargePoint(visit.site, { ...asked, accountId: visit.accountId })
  if ('refused' in registered) return again(newPage(visit, typedWith(form, registered)), shown(registered))
  const { view, password: made } = registered
  if (made === undefined) return pathOf(view.id)
  return { page: <PasswordPage frame={visit.frame} id={view.id} password={made} event="made" />, status: 200 }
})

export const showEdit: ConsolePage = showingStation('operate', async (visit, view) =>
  editPage(visit, view, { form: formOf(view), faults: {} }),
)

/** What is left empty is taken away. */
export const editChargePoint: ConsolePage = actingOnStation(async (visit, before, form) => {
  const { name = null, protocols = null, validation = null, securityProfile, labels } = typedAttributes(form)
  const removed = Object.fromEntries(Object.keys(before.labels ?? {}).map((key) => [key, null]))
  const body = {
    name,
    protocols,
    validation,
    labels: { ...removed, ...labels },
    disabled: form.get('disabled') === 'yes',
    securityProfile: securityProfile === before.securityProfile ? undefined : securityProfile,
  }
  const asked = checkedForm(ChangeChargePointSchema, body, labelFaults(form))
  const changed = 'refused' in asked ? asked : await changeChargePoint(visit.site, before, asked)
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

function typedAttributes(form: URLSearchParams) {
  const { name, protocols, validation } = filledIn(form, ['name', 'protocols', 'validation'])
  return {
    name,
    validation,
    protocols: protocols === undefined ? undefined : [protocols],
    securityProfile: typedNumber(form, 'securityProfile'),
    labels: typedLabels(form, 'labels'),
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
  const words = wordsIn('chargePoints', frame)
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
  const { frame, context } = visit
  const words = wordsIn('chargePoints', frame)
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
      <Deletion visit={visit} action={form.action} of={path} ask={words.deleteLead} what={id} />
    </Page>
  )
}

type PasswordPageProps = { frame: Frame; id: string; password: string; event: 'made' | 'changed' }

/** Shown once: it cannot be read again. */
const PasswordPage: FC<PasswordPageProps> = ({ frame, id, password: shown, event }) => {
  const words = wordsIn('chargePoints', frame)
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
  const { stationPassword, passwordHint } = wordsIn('chargePoints', frame)
  return { name: 'password', label: stationPassword, hint: passwordHint, maxlength: 40, secret: true }
}

function attributes(frame: Frame): Fields {
  const words = wordsIn('chargePoints', frame)
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
