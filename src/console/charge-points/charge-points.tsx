/** The account's charge points, and the decision about those that wait for it. */
import { changeChargePoint } from '../../orders/charge-points/change.ts'
import { noSuch, refuseFault } from '../../orders/refusal.ts'
import { pageOfRows, ROWS_ASKED } from '../page-of-rows.ts'
import type { ConsolePage, OperatorParts } from '../parts.ts'
import { ordering, showing } from '../visit.tsx'
import { ChargePointsPage } from './charge-points-page.tsx'

const ACTION = 'charge points'

export function showChargePoints({ core }: OperatorParts): ConsolePage {
  return showing('anybody', async ({ provider, context, frame, accountId, operates, csrf }) => {
    const after = context.req.query('after')
    const found = await provider.reads.listChargePoints(accountId, {
      limit: ROWS_ASKED,
      ...(after !== undefined && { afterId: after }),
    })
    const { rows: views, last } = pageOfRows(found)
    const connectivity = views.length > 0 ? await core.connectivity(views.map(({ id }) => id)) : []
    const live = new Map(connectivity.map((entry) => [entry.chargePointId, entry]))
    const chargePoints = views.map((view) => {
      const now = live.get(view.id)
      return { view, ...(now && { live: now }) }
    })
    return (
      <ChargePointsPage
        frame={frame}
        chargePoints={chargePoints}
        later={after !== undefined}
        {...(operates && { csrf: csrf(ACTION) })}
        {...(last && { next: last.id })}
      />
    )
  })
}

/** The rules of PATCH /2/evse-controllers/{id}. */
export function decideRegistration({ core }: OperatorParts): ConsolePage {
  return ordering(
    'operate',
    () => ACTION,
    async ({ provider, context, accountId }, form) => {
      const { reads, writes, random, config } = provider
      const registrationStatus = form.get('registrationStatus')
      if (registrationStatus !== 'Accepted' && registrationStatus !== 'Rejected') {
        return refuseFault('/registrationStatus', 'invalid_value', 'must be Accepted or Rejected')
      }
      const chargePoint = await reads.findChargePoint(context.req.param('chargePoint') ?? '')
      if (chargePoint?.accountId !== accountId) return noSuch('charge point')
      const password = form.get('password') ?? ''
      const changed = await changeChargePoint({ writes, core, random, settings: config }, chargePoint, {
        registrationStatus,
        ...(password !== '' && registrationStatus === 'Accepted' && { password }),
      })
      return 'refused' in changed ? changed : '/charge-points'
    },
  )
}
