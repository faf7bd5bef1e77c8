/** How a message file declares its message; absent members get the common defaults. */
import type { Capability } from '../../domain/ports/capability.ts'
import type { Columns, FromChargePoint, ToChargePoint } from '../version.ts'
import type { ListInRequest } from './parts.ts'
import { object, type Payload } from './payload.ts'

/** A member without which a message is unusable (OCPP-VA1). Path with dots: `idToken.idToken`. */
export interface Need {
  readonly path: string
  readonly kind: 'text' | 'object'
}

export interface InboundMessage extends FromChargePoint {
  /** Lenient mode refuses only when one of these is unusable. Empty for billing messages (OCPP-DR4). */
  readonly needs: readonly Need[]
  /** One line of docs/ocpp.md: its effect here. */
  readonly effect: string
}

export interface OutboundMessage extends ToChargePoint, Pick<OutboundRule, 'followUp'> {
  /** By the command's name; docs/ocpp.md. */
  readonly usualCapability: Capability
}

/** Members default to: stored in the log, answered `{}`, repeatable, no needs. */
export type InboundRules = Pick<InboundMessage, 'effect'> & Partial<Omit<InboundMessage, 'action'>>

/** @param columns where the version usually has them */
export function inboundTable<Action extends string>(
  columns: (request: Payload, raw?: string) => Columns,
  rules: Readonly<Record<Action, InboundRules>>,
): Readonly<Record<Action, InboundMessage>> {
  return messageTable(rules, (action, rule: InboundRules) => ({
    billing: false,
    judgesItself: false,
    isSend: false,
    beforeBoot: false,
    repeatable: true,
    needs: [],
    input: () => ({ kind: 'noted' }),
    answer: () => ({}),
    columns: (request, _outcome, raw) => columns(request, raw),
    ...rule,
    action,
  }))
}

export interface OutboundRule {
  /** Who may send it (OIDC-C11). */
  readonly capability: Capability
  /** For requests that do more than the command's name says. */
  readonly beyond?: (request: Payload) => Capability | undefined
  /** One line of docs/ocpp.md: what to expect after it. */
  readonly followUp: string
  /** Allowed while the registration is Pending (SESSION-O4, B03.FR). */
  readonly pending?: true | undefined
  /** Stations limit the items of this list (SESSION-O11). */
  readonly list?: ListInRequest | undefined
}

export function outboundTable<Action extends string>(
  columns: (request: Payload) => Columns,
  rules: Readonly<Record<Action, OutboundRule>>,
): Readonly<Record<Action, OutboundMessage>> {
  return messageTable(rules, (action, rule: OutboundRule) => ({
    action,
    columns: (request) => columns(request),
    allowedWhilePending: rule.pending ?? false,
    capability: (request) => (bringsVendorData(request) ? 'account' : (rule.beyond?.(request) ?? rule.capability)),
    usualCapability: rule.capability,
    followUp: rule.followUp,
    list: rule.list,
  }))
}

/** `customData` in a 2.0.1 request is vendor-defined, like DataTransfer (OIDC-C11). */
function bringsVendorData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'customData' in value || Object.values(value).some(bringsVendorData)
}

/** Without a prototype: an action called `constructor` is as unknown as any other. */
function messageTable<Action extends string, Rule, Message>(
  rules: Readonly<Record<Action, Rule>>,
  messageOf: (action: Action, rule: Rule) => Message,
): Readonly<Record<Action, Message>> {
  const table = Object.create(null) as Record<Action, Message>
  for (const action of Object.keys(rules) as Action[]) table[action] = messageOf(action, rules[action])
  return Object.freeze(table)
}

export function needsText(...paths: readonly string[]): readonly Need[] {
  return paths.map((path) => ({ path, kind: 'text' }))
}

export function valueAt(payload: Payload, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => object(value)[name], payload)
}
