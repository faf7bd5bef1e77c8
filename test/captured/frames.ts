/** Quirks of the frame around the message: what is no JSON, and what nobody expects to be in it. */
import { type Captured, call, start, stop } from './traffic.ts'

const VENDOR = '{"chargePointVendor":"Acme","chargePointModel":"One"}'
const boot = call('BootNotification', VENDOR, 'b')
const BOOTED = { status: 'Accepted' }
const TIMED = { currentTime: expectAnything() }

function expectAnything(): unknown {
  return { asymmetricMatch: (value: unknown) => value !== undefined }
}

/** "充电桩" as GBK has it. */
const GBK = Buffer.from([0xb3, 0xe4, 0xb5, 0xe7, 0xd7, 0xae])

function inGbk(text: string, placeholder: string): Buffer {
  const [before = '', after = ''] = text.split(placeholder)
  return Buffer.concat([Buffer.from(before), GBK, Buffer.from(after)])
}

export const frames: readonly Captured[] = [
  { name: 'OCPP-RP10: a byte order mark', steps: [[`\uFEFF${boot}`, BOOTED]] },
  { name: 'OCPP-RP1: space and line ends around the message', steps: [[` \r\n${boot}\r\n`, BOOTED]] },
  { name: 'OCPP-RP10: the NUL that ends a C string', steps: [[`${boot}\u0000`, BOOTED]] },
  {
    name: 'OCPP-RP10: a C string’s NULs inside a string',
    steps: [[boot.replace('Acme', 'Acme\u0000\u0000\u0000'), BOOTED]],
    chargePoint: { vendor: 'Acme' },
  },
  {
    name: 'OCPP-RP10, OCPP-DR4: a value that printf left out',
    steps: [
      [boot, BOOTED],
      [start(), { transactionId: expectAnything() }],
      [stop('"transactionId":,"meterStop":2500,"reason":'), {}],
    ],
    sessions: 1.5,
  },
  {
    name: 'OCPP-RP10, OCPP-DR4: a comma behind the last member',
    steps: [
      [boot, BOOTED],
      [start(), { transactionId: expectAnything() }],
      [stop('"transactionId":$TX,"meterStop":2500,'), {}],
    ],
    sessions: 1.5,
  },
  {
    name: 'OCPP-RP10, OCPP-DR4: control characters behind a tag of 20 characters',
    steps: [
      [boot, BOOTED],
      [start(), { transactionId: expectAnything() }],
      [stop('"transactionId":$TX,"meterStop":2500,"idTag":"BA86I250X5G6MOD5DLKD\u0010\u000e"'), { idTagInfo: {} }],
    ],
    sessions: 1.5,
  },
  {
    name: 'OCPP-RP10, OCPP-DR4: two messages in one text, both billing',
    steps: [
      [boot, BOOTED],
      [start(), { transactionId: expectAnything() }],
      [`${call('Heartbeat', '{}', 'h')}${stop('"transactionId":$TX,"meterStop":2500')}`, TIMED, {}],
    ],
    sessions: 1.5,
  },
  { name: 'OCPP-RP10: a bracket too many', steps: [[`${boot}]`, BOOTED]] },
  { name: 'OCPP-RP1: a vendor’s name in GBK', steps: [[inGbk(boot, 'Acme'), BOOTED]] },
  { name: 'OCPP-RP1: a binary frame', steps: [[Buffer.from(boot), BOOTED]] },
  {
    name: 'OCPP-RP10: half a message is answered, and the connection stays',
    steps: [
      [boot.slice(0, 30), 'GenericError'],
      [boot, BOOTED],
    ],
  },
  {
    name: 'OCPP-RP2: a message id of 200 characters',
    steps: [[call('BootNotification', VENDOR, 'x'.repeat(200)), BOOTED]],
  },
  {
    name: 'OCPP-RP2: a message id that is a number, or empty',
    steps: [
      [boot.replace('"b"', '7'), BOOTED],
      [boot.replace('"b"', '""'), BOOTED],
    ],
  },
  {
    name: 'OCPP-RP6: one message id for everything',
    steps: [
      [call('BootNotification', VENDOR, '1000001'), BOOTED],
      [start('', '1000001'), { transactionId: expectAnything() }],
      [stop('"transactionId":$TX,"meterStop":2500', '1000001'), {}],
      [call('Heartbeat', '{}', '1000001'), TIMED],
    ],
    sessions: 1.5,
  },
  {
    name: 'OCPP-RP2: a payload that is missing, null, or followed by more',
    steps: [
      [boot, BOOTED],
      ['[2,"1","Heartbeat"]', TIMED],
      ['[2,"2","Heartbeat",null]', TIMED],
      ['[2,"3","Heartbeat",{},{},1]', TIMED],
    ],
  },
  {
    name: 'EC: a payload that is no object, an action in other case, an action from the other side',
    steps: [
      [boot, BOOTED],
      ['[2,"1","Heartbeat","now"]', 'FormationViolation'],
      ['[2,"2","heartbeat",{}]', 'NotImplemented'],
      ['[2,"3","RemoteStartTransaction",{}]', 'NotSupported'],
    ],
  },
  {
    name: 'OCPP-RP12: members twice, one called __proto__, a number without end',
    steps: [
      [boot.replace('{', '{"__proto__":{"chargePointVendor":"X"},"chargePointVendor":"First","x":1e999,'), BOOTED],
    ],
    chargePoint: { vendor: 'Acme' },
  },
  {
    name: 'OCPP-DR9: a charge before the BootNotification is taken, and its repetition after it is the same charge',
    steps: [
      ['[2,"h","Heartbeat",{}]', 'SecurityError'],
      [start(), { transactionId: expectAnything() }],
      [boot, BOOTED],
      [start(), { transactionId: expectAnything() }],
    ],
    sessions: [{ state: 'charging' }],
  },
]
