import { SECRET_PREFIXES } from '../domain/accounts/credentials.ts'
import { setting } from './setting.ts'
import { headerName, oneOf, secretText, text, webAddress } from './setting-kinds.ts'

/** Who signs certificates of charge points, and whose certificates are trusted. */
export const certificateSettings = {
  certificateProvider: setting(oneOf('internal', 'http', 'manual'), {
    name: 'PILOTWIRE_CERTIFICATE_PROVIDER',
    description:
      'Who signs the certificate requests of charge points. internal: an authority of this installation; http: a service of yours, at PILOTWIRE_CERTIFICATE_HOOK_URL; manual: an operator, through PUT /2/certificate-requests/{id}.',
    example: 'http',
    default: () => 'internal',
  }),
  certificateHookUrl: setting(webAddress, {
    name: 'PILOTWIRE_CERTIFICATE_HOOK_URL',
    description: 'Address that is sent each certificate request. Needs PILOTWIRE_CERTIFICATE_HOOK_SECRET.',
    example: 'https://pki.example.com/sign',
  }),
  certificateHookSecret: setting(secretText(16, 1024), {
    name: 'PILOTWIRE_CERTIFICATE_HOOK_SECRET',
    description: 'Signs these requests as the secret of a webhook signs its deliveries.',
    example: `${SECRET_PREFIXES.webhookSecret}AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8`,
    secret: true,
  }),
  organization: setting(text, {
    name: 'PILOTWIRE_ORGANIZATION',
    description:
      'Organization (O) in the certificates of charge points: the one that is written, and that must stand in those that are shown. The name of the account unless given.',
    example: 'Example Charging Ltd',
  }),
  clientCaFile: setting(text, {
    name: 'PILOTWIRE_CLIENT_CA_FILE',
    description: 'Further authorities (PEM) whose certificates prove a charge point of security profile 3.',
    example: '/etc/pilotwire/client-ca.pem',
  }),
  clientCertHeader: setting(headerName, {
    name: 'PILOTWIRE_CLIENT_CERT_HEADER',
    description:
      'Header in which a trusted proxy hands on the client certificate, as URL-encoded PEM (nginx: $ssl_client_escaped_cert). It must overwrite what the client sent under that name.',
    example: 'x-ssl-client-cert',
    default: () => 'x-ssl-client-cert',
  }),
}
