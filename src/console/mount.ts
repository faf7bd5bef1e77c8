import { auditedCore } from '../application/audit/auditing.ts'
import { RESOURCES } from '../domain/resources/all-resources.ts'
import { fixedDocument, LIVE_MODULE, LIVE_MODULE_PATH } from '../web/fixed-document.ts'
import { type Pages, pageMounter } from '../web/mount.ts'
import { rootOf } from '../web/site.ts'
import { downloadMessages, showChargePoint, showMessage, showMessageJson } from './charge-points/charge-point.tsx'
import { downloadChargePoints, showChargePoints } from './charge-points/charge-points.tsx'
import { decideRegistration } from './charge-points/decision.tsx'
import {
  addChargePoint,
  deleteChargePoint,
  editChargePoint,
  setPassword,
  showEdit,
  showNewChargePoint,
} from './charge-points/registration.tsx'
import { keepListSettings, LIST_SETTINGS } from './charge-points/views.ts'
import { askUsual, orderCommand, orderUsual, showCommand, startCharge, stopCharge } from './commands/station-orders.tsx'
import type { OperatorContext, SignInSite } from './console-parts.ts'
import { actOnCard, changeCard, showCard } from './id-tokens/card-page.tsx'
import { createCard, importCards, showCards, tryCards } from './id-tokens/id-tokens.tsx'
import { jump } from './jump/jump.tsx'
import { showHome, takeCareOf, takeCareOfOutage } from './overview/overview.tsx'
import { mountResource } from './resource/pages.tsx'
import { settleSession, showSession, stopSession } from './sessions/session.tsx'
import { downloadSessions, showSessions } from './sessions/sessions.tsx'
import { showAudit } from './users/audit.tsx'
import { actOnUser, changeUser, createUser, showUser, showUsers } from './users/users.tsx'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rotateWebhook,
  showNewWebhook,
  showWebhookForm,
} from './webhooks/webhook-forms.tsx'
import { disable, enable, replay, resend, sendTest } from './webhooks/webhook-orders.ts'
import { showDelivery, showWebhook } from './webhooks/webhook-page.tsx'
import { showWebhooks } from './webhooks/webhooks.tsx'

const MODULE_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
}

/** @example createOidc({ …, pages: operatorPages(parts) }) */
export function operatorPages(given: OperatorContext): Pages<SignInSite> {
  return {
    home: '',
    mount(app, outer) {
      const parts: OperatorContext = { ...given, core: auditedCore(given.core, outer.writes) }
      const { voltage, timeZone } = parts
      const site = { ...outer, ...parts, settings: { secretKey: outer.config.secretKey, voltage, timeZone } }
      const page = pageMounter(app, site)
      for (const home of rootOf(site) === '' ? ['/'] : ['', '/']) page(home, { GET: showHome })
      // Not `/sessions`, which is the API's: a dashboard URL without a path puts the two side by side.
      page('/charging-sessions', { GET: showSessions(parts) })
      page('/charging-sessions.csv', { GET: downloadSessions })
      page('/charging-sessions/:sessionId', { GET: showSession(parts) })
      page('/charging-sessions/:sessionId/stop', { POST: stopSession })
      page('/charging-sessions/:sessionId/settlements', { POST: settleSession(parts) })
      page('/jump', { GET: jump })
      page(LIST_SETTINGS, { POST: keepListSettings })
      page('/charge-points', { GET: showChargePoints })
      page('/charge-points.csv', { GET: downloadChargePoints })
      page('/charge-points/:chargePoint', { GET: showChargePoint(parts) })
      page('/new-charge-point', { GET: showNewChargePoint, POST: addChargePoint, names: 'id' })
      page('/charge-points/:chargePoint/start', { POST: startCharge })
      page('/charge-points/:chargePoint/stop', { POST: stopCharge })
      page('/charge-points/:chargePoint/orders', { GET: askUsual, POST: orderUsual })
      page('/charge-points/:chargePoint/command', { GET: showCommand, POST: orderCommand })
      page('/charge-points/:chargePoint/edit', { GET: showEdit, POST: editChargePoint })
      page('/charge-points/:chargePoint/password', { POST: setPassword })
      page('/charge-points/:chargePoint/delete', { POST: deleteChargePoint })
      page('/charge-points/:chargePoint/care', { POST: takeCareOf })
      page('/outages/care', { POST: takeCareOfOutage, names: 'site' })
      page('/charge-points/:chargePoint/registration', { POST: decideRegistration })
      page('/charge-points/:chargePoint/messages.csv', { GET: downloadMessages })
      page('/charge-points/:chargePoint/messages/:commandId', { GET: showMessage })
      page('/charge-points/:chargePoint/messages/:commandId/json', { GET: showMessageJson })
      page('/id-tokens', { GET: showCards, POST: createCard, names: 'id' })
      page('/import/id-tokens/try', { POST: tryCards })
      page('/import/id-tokens', { POST: importCards })
      page('/id-tokens/:idToken', { GET: showCard, POST: changeCard })
      page('/id-tokens/:idToken/:action', { POST: actOnCard })
      for (const one of RESOURCES) mountResource(one, page)
      page('/users', { GET: showUsers, POST: createUser, names: 'email' })
      page('/users/:userId', { GET: showUser, POST: changeUser })
      page('/users/:userId/:action', { POST: actOnUser })
      page('/audit', { GET: showAudit })
      page('/webhooks', { GET: showWebhooks })
      page('/webhooks/new', { GET: showNewWebhook, POST: createWebhook, names: 'url' })
      page('/webhooks/:webhookId/edit', { GET: showWebhookForm, POST: changeWebhook })
      page('/webhooks/:webhookId/rotate', { POST: rotateWebhook })
      page('/webhooks/:webhookId/delete', { POST: deleteWebhook })
      page('/webhooks/:webhookId', { GET: showWebhook })
      page('/webhooks/:webhookId/test', { POST: sendTest })
      page('/webhooks/:webhookId/enable', { POST: enable })
      page('/webhooks/:webhookId/disable', { POST: disable })
      page('/webhooks/:webhookId/replay', { POST: replay })
      page('/webhooks/:webhookId/deliveries/:deliveryId', { GET: showDelivery })
      page('/webhooks/:webhookId/deliveries/:deliveryId/redeliver', { POST: resend })
      for (const mount of parts.extraPages ?? []) mount(page)
      const live = fixedDocument(() => LIVE_MODULE, MODULE_HEADERS)
      app.get(rootOf(site) + LIVE_MODULE_PATH, ({ req }) => live(req))
    },
  }
}
