/** Registering charge points, changing and deleting them: the orders of the API (API-A5), as forms. */
import { changeChargePoint } from '../../application/charge-points/change.ts'
import { registerChargePoint } from '../../application/charge-points/register.ts'
import { refuseFaults } from '../../application/refuse.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { ConsolePage, OperatorParts } from '../console-parts.ts'
import { acting, actingPage, type Shown, type Visit } from '../visit.tsx'
import { actionOf, orderedChargePoint, ownChargePoint, pathOf } from './own-charge-point.ts'
import { changeTo, formOf, readRegistration } from './registration-form.ts'
import { DeletionPage, EditPage, NewChargePointPage, PasswordPage } from './registration-page.tsx'

const NEW = 'new charge point'

export const showNewChargePoint: ConsolePage = actingPage(async (visit) =>
  // Of one that was refused, the list of refusals says who it is.
  newPage(visit, new URLSearchParams({ securityProfile: '1', id: visit.context.req.query('id') ?? '' })),
)

export function addChargePoint(_parts: OperatorParts): ConsolePage {
  return acting(
    () => NEW,
    async (visit, form) => {
      const { site, frame, accountId } = visit
      const { faults, name, protocols, validation, labels, securityProfile } = readRegistration(form)
      const again = (refusal: Refusal): Shown => refused(newPage(visit, form, refusal), refusal)
      if (faults.length > 0) return again(refuseFaults(faults))
      const password = form.get('password') ?? ''
      const registered = await registerChargePoint(
        { ...site, settings: site.config },
        {
          id: (form.get('id') ?? '').trim(),
          accountId,
          securityProfile,
          labels,
          ...(name !== '' && { name }),
          ...(protocols.length > 0 && { protocols }),
          ...(validation && { validation }),
          ...(password !== '' && { password }),
        },
      )
      if ('refused' in registered) return again(registered)
      const { view, password: made } = registered
      if (made === undefined) return pathOf(view.id)
      return { page: <PasswordPage frame={frame} id={view.id} password={made} event="made" />, status: 200 }
    },
  )
}

export const showEdit: ConsolePage = actingPage(async (visit) => {
  const view = await ownChargePoint(visit)
  return view && editPage(visit, view.id, formOf(view))
})

export function editChargePoint({ core }: OperatorParts): ConsolePage {
  return acting(actionOf, async (visit, form) => {
    const { writes, random, config } = visit.site
    const before = await orderedChargePoint(visit)
    if ('refused' in before) return before
    const typed = readRegistration(form)
    const changed =
      typed.faults.length > 0
        ? refuseFaults(typed.faults)
        : await changeChargePoint(
            { writes, core, random, settings: config },
            before,
            changeTo(before, typed, form.get('disabled') === 'yes'),
          )
    return 'refused' in changed ? refused(editPage(visit, before.id, form, changed), changed) : pathOf(before.id)
  })
}

/** One is made unless it was typed; the charge point is disconnected. */
export function setPassword({ core }: OperatorParts): ConsolePage {
  return acting(actionOf, async (visit, form) => {
    const { writes, random, config } = visit.site
    const before = await orderedChargePoint(visit)
    if ('refused' in before) return before
    const typed = form.get('password') ?? ''
    const password = typed === '' ? random(PASSWORD_BYTES).toString('hex') : typed
    const changed = await changeChargePoint({ writes, core, random, settings: config }, before, { password })
    if ('refused' in changed) return refused(editPage(visit, before.id, formOf(before), changed), changed)
    if (typed !== '') return pathOf(before.id)
    return {
      page: <PasswordPage frame={visit.frame} id={before.id} password={password} event="changed" />,
      status: 200,
    }
  })
}

/** As registration makes them: 40 characters. */
const PASSWORD_BYTES = 20

export const showDeletion: ConsolePage = actingPage(async (visit) => {
  const view = await ownChargePoint(visit)
  return view && <DeletionPage frame={visit.frame} id={view.id} csrf={visit.csrf(actionOf(visit.context))} />
})

export function deleteChargePoint({ core }: OperatorParts): ConsolePage {
  return acting(actionOf, async (visit) => {
    const view = await orderedChargePoint(visit)
    if ('refused' in view) return view
    const removed = await core.removeChargePoint(visit.accountId, view.id)
    return 'refused' in removed ? removed : '/charge-points'
  })
}

function newPage({ frame, csrf, once }: Visit, form: URLSearchParams, refusal?: Refusal) {
  return <NewChargePointPage frame={frame} csrf={csrf(NEW)} once={once()} form={form} {...(refusal && { refusal })} />
}

function editPage({ frame, csrf, context, once }: Visit, id: string, form: URLSearchParams, refusal?: Refusal) {
  return (
    <EditPage
      frame={frame}
      id={id}
      csrf={csrf(actionOf(context))}
      once={once()}
      form={form}
      {...(refusal && { refusal })}
    />
  )
}

function refused(page: Shown['page'], { status }: Refusal): Shown {
  return { page, status: status === 403 ? 400 : status }
}
