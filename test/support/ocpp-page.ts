/** docs/ocpp.md, printed from the tables that the server runs on, so that it cannot promise anything else. */
import type { Protocol } from '../../src/domain/ports/core.ts'
import { faultCode, situationCode } from '../../src/ocpp/error-codes.ts'
import type { InboundMessage, OutboundMessage } from '../../src/ocpp/translate/message.ts'
import { versions } from '../../src/ocpp/versions.ts'

const NAMES: Readonly<Record<Protocol, string>> = {
  'ocpp1.6': 'OCPP 1.6 with the security extension',
  'ocpp2.0.1': 'OCPP 2.0.1',
  'ocpp2.1': 'OCPP 2.1',
}

const INTRODUCTION = `# OCPP messages

This page is printed from the code (\`test/support/ocpp-page.ts\`); a test compares the two. The rules behind it, with
their sources, stand in the rule book: [the wire](rules/ocpp.md), [sessions, orders and tokens](rules/sessions.md),
[energy and cost](rules/energy.md), [signed meter values](rules/signed-values.md).

Every message in either direction becomes one row of the message log, together with its answer. Every message a charge
point may send is answered; *billing* messages are never refused for their content.

A message that cannot be read is a row of method \`Malformed\`. One that can be read but belongs to nothing (an answer
to no call of ours, message types of OCPP 2.1 in an older version, an unknown message type) is a row of method
\`Unanswered\`. Of both kinds the first 4096 characters are kept, and at most 600 rows an hour of one charge point; a
row of method \`NotKept\` says how many more there were. For an unaccepted charge point the limits are lower: see
[security.md](security.md#unaccepted-charge-points). Empty texts are signs of life and no messages.

Before its BootNotification was accepted, a charge point is answered \`SecurityError\`. Exceptions are what we triggered
and, in OCPP 1.6, the billing messages of a charge point that is registered and accepted: it may have come from another
central system without a reboot.

## Validation

The setting \`PILOTWIRE_OCPP_VALIDATION\`, or \`validation\` of one charge point, decides what happens to a call that does
not match the official schema:

- \`lenient\` (default): harmless faults are repaired (nulls, numbers as text, letter case of enumerations, single values
  in the place of lists). The call is answered normally as long as the members under *needs* are usable, and the row of
  the log says what was wrong.
  Text that is no JSON is repaired where it can mean one thing only: a byte order mark, NUL and other control
  characters, a value left out, a comma too many, \`NaN\`, two messages in one text. Bytes that are no UTF-8 are read
  as \`U+FFFD\`.
- \`strict\`: the call is refused with the error code below, and nothing is repaired, not even bytes that are no UTF-8.
- \`off\` (one charge point only): only a payload that is no object is refused.

What we send is always checked against the official schema. Faults that the schema finds in an answer are kept in its
row.

## Who may send what

An API credential of the account may send every command. An access token may send what its scopes cover, to the charge
points that the user shares; anything else is answered 403 \`insufficient_scope\`. The tables name under *needs* what each
command needs:

- \`control\`: covered by the scope \`chargers:control\`. A start may bring a charging profile of its own (\`TxProfile\`
  without a \`transactionId\`); with any other it needs \`limits\`.
- \`firmware\`: covered by the scope \`chargers:firmware\`.
- \`reservations\`, \`limits\`, \`messages\`, \`configuration\`, \`certificates\`: no scope covers these yet.
- \`account\`: no scope will ever cover these, nor a request that carries \`customData\`, whose meaning is the vendor’s.
- \`connection\`: no scope will ever cover these, because a caller who sets a charge point’s password or the address that
  it connects to can take its place. These are SetNetworkProfile, and ChangeConfiguration and SetVariables of anything
  with such a name (\`AuthorizationKey\`, \`SecurityProfile\`, \`BasicAuthPassword\`, network, address, identity, …).`

/** The whole page, with a newline at its end. */
export function ocppReference(): string {
  const pages = Object.values(versions).flatMap(({ protocol, fromChargePoint, toChargePoint }) => [
    `## ${NAMES[protocol]}`,
    '### From the charge point',
    table(['Message', 'Effect', 'Needs', 'Billing'], Object.values(fromChargePoint).map(inboundRow)),
    '### To the charge point',
    table(['Message', 'Needs', 'What follows', 'While pending'], Object.values(toChargePoint).map(outboundRow)),
  ])
  return `${[INTRODUCTION, '## Error codes', errorTable(), ...pages].join('\n\n')}\n`
}

function inboundRow({ action, effect, needs, billing }: InboundMessage): readonly string[] {
  return [action, effect, needs.map(({ path }) => `\`${path}\``).join(', '), billing ? 'yes' : '']
}

function outboundRow({ action, usualCapability, followUp, allowedWhilePending }: OutboundMessage): readonly string[] {
  return [action, usualCapability, followUp, allowedWhilePending ? 'yes' : '']
}

function errorTable(): string {
  const protocols = Object.values(versions).map(({ protocol }) => protocol)
  const row = (situation: string, code: (protocol: Protocol) => string | undefined): readonly string[] => [
    situation,
    ...protocols.map((protocol) => code(protocol) ?? 'ignored'),
  ]
  return table(
    ['Situation', ...protocols],
    [
      row('unreadable frame', (protocol) => situationCode(protocol, 'unreadable')),
      row('nested deeper than 64; `strict`: not UTF-8', (protocol) => situationCode(protocol, 'syntax')),
      row('unknown message type number', (protocol) => situationCode(protocol, 'unknownMessageType')),
      row('unknown action', () => 'NotImplemented'),
      row('action of the other side', () => 'NotSupported'),
      row('payload is no object', (protocol) => faultCode(protocol, 'notAnObject')),
      row('required member missing', (protocol) => faultCode(protocol, 'occurrence')),
      row('wrong JSON type', (protocol) => faultCode(protocol, 'type')),
      row('too long, out of range, unknown value', (protocol) => faultCode(protocol, 'property')),
      row('member that is not defined', (protocol) => faultCode(protocol, 'structure')),
      row('charge point not accepted yet', (protocol) => situationCode(protocol, 'notAccepted')),
      row('the message could not be stored', (protocol) => situationCode(protocol, 'internal')),
    ],
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
