import { needsText } from '../translate/message.ts'
import { fromChargePoint } from './from-charge-point.ts'
import { idTagInfo, idToken } from './id-tag-info.ts'

/** OCPP 1.6 §4.1. No session: the driver may leave. Never from memory: the tag may have been blocked since. */
export const authorize = fromChargePoint('Authorize', {
  effect: 'looks the tag up',
  repeatable: false,
  needs: needsText('idTag'),
  input: (request) => ({ kind: 'authorise', idToken: idToken(request.idTag) }),
  answer: (_request, { authorisation }) => ({ idTagInfo: idTagInfo(authorisation) }),
})
