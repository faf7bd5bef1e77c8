/** The operator's pages: sessions, charge points and webhooks, behind the same sign-in as every other page. */
import { pageMounter } from '../../oidc/browser/app.ts'
import type { OidcParts } from '../../oidc/provider.ts'
import { decideRegistration, showChargePoints } from './charge-points.tsx'
import type { OperatorParts } from './parts.ts'
import { showSession, showSessions } from './sessions.tsx'
import { enable, replay, resend, sendTest, showDelivery, showWebhook, showWebhooks } from './webhooks.tsx'

/** @example createOidc({ …, pages: operatorPages(parts) }) */
export function operatorPages(parts: OperatorParts): NonNullable<OidcParts['pages']> {
  return {
    home: '/sessions',
    mount(app, provider) {
      const page = pageMounter(app, provider)
      page('/sessions', { GET: showSessions })
      page('/sessions/:sessionId', { GET: showSession(parts) })
      page('/charge-points', { GET: showChargePoints(parts) })
      page('/charge-points/registration', { POST: decideRegistration(parts) })
      page('/webhooks', { GET: showWebhooks })
      page('/webhooks/:webhookId', { GET: showWebhook })
      page('/webhooks/:webhookId/test', { POST: sendTest(parts) })
      page('/webhooks/:webhookId/enable', { POST: enable(parts) })
      page('/webhooks/:webhookId/replay', { POST: replay(parts) })
      page('/webhooks/:webhookId/deliveries/:deliveryId', { GET: showDelivery })
      page('/webhooks/:webhookId/deliveries/:deliveryId/redeliver', { POST: resend(parts) })
    },
  }
}
