import { pageTexts } from '../kit/texts.ts'

export const limitTexts = pageTexts({
  none: ['There are no limit groups yet.', 'Es gibt noch keine Limitgruppen.'],
  noneLead: [
    'Charge points that share a connection never draw more than it carries: each is told its part, and one that goes silent counts with all it may still hold.',
    'Ladestationen an einem gemeinsamen Anschluss ziehen nie mehr, als er trägt: Jede bekommt ihren Teil, und eine, die verstummt, zählt mit allem, was sie noch halten kann.',
  ],
  share: ['Share a connection', 'Einen Anschluss teilen'],
  make: ['New limit group', 'Neue Limitgruppe'],
  group: ['Group', 'Gruppe'],
  parent: ['Fed by', 'Gespeist von'],
  limit: ['Limit', 'Limit'],
  load: ['Building', 'Gebäude'],
  mayDraw: ['May draw', 'Darf ziehen'],
  draws: ['Draws', 'Zieht'],
  shares: ['Shares', 'Anteile'],
  reason: ['Why', 'Warum'],
  evse: ['EVSE', 'Ladestation'],
  phases: ['Phases', 'Phasen'],
  test: ['Who has taken it', 'Wer es übernommen hat'],
  inputs: ['Meter and orders…', 'Zähler und Vorgaben…'],
  change: ['Change…', 'Ändern…'],
  feeds: ['It feeds:', 'Sie speist:'],
  counts: [
    (all: number, charging: number) => `${all} EVSEs, ${charging} charging`,
    (all: number, charging: number) => `${all} Ladepunkte, ${charging} laden`,
  ],
  alsoWaiting: [(count: number) => `, ${count} waiting`, (count: number) => `, ${count} warten`],
  powerOf: [
    (drawn: string, most: string) => `${drawn} of ${most}`,
    (drawn: string, most: string) => `${drawn} von ${most}`,
  ],
  orderedBy: ['Ordered by', 'Vorgabe von'],
  orders: {
    active: [
      (amps: string, until: string) => `${amps} of each phase until ${until}, unless it is renewed.`,
      (amps: string, until: string) => `${amps} je Phase bis ${until}, falls sie nicht erneuert wird.`,
    ],
    failSafe: [
      (amps: string, until: string) => `nobody renewed it, so its fail-safe value of ${amps} holds until ${until}.`,
      (amps: string, until: string) =>
        `niemand hat sie erneuert, deshalb gilt ihr sicherer Wert von ${amps} bis ${until}.`,
    ],
  },
  meterSilent: ['The meter of the building is silent.', 'Der Zähler des Gebäudes schweigt.'],
  meterFallsTo: [
    (amps: string) => `Until it reads again, charging gets ${amps} of each phase.`,
    (amps: string) => `Bis er wieder misst, bekommt das Laden ${amps} je Phase.`,
  ],
  exceededTitle: ['More may be drawn than the limit allows.', 'Es darf mehr gezogen werden, als das Limit erlaubt.'],
  exceededLead: [
    'Nobody is given more before it fits again; who ignores its limit stands first below.',
    'Niemand bekommt mehr, bis es wieder passt; wer sich nicht an sein Limit hält, steht unten zuerst.',
  ],
  ofAmps: [(limit: string) => `A of ${limit} A`, (limit: string) => `A von ${limit} A`],
  phaseOf: [
    (phase: string, drawn: string, limit: string) => `${phase}: ${drawn} of ${limit}`,
    (phase: string, drawn: string, limit: string) => `${phase}: ${drawn} von ${limit}`,
  ],
  building: [(amps: string) => `building ${amps}`, (amps: string) => `Gebäude ${amps}`],
  mayDrawTogether: [(amps: string) => `cars may draw ${amps}`, (amps: string) => `Autos dürfen ${amps}`],
  setsShares: ['sets the shares', 'bestimmt die Anteile'],
  left: [(amps: string) => `${amps} left`, (amps: string) => `${amps} frei`],
  tooMuch: [(amps: string) => `${amps} too much`, (amps: string) => `${amps} zu viel`],
  drawsOf: [
    (drawn: string, allowed: string) => `draws ${drawn}, may draw ${allowed}`,
    (drawn: string, allowed: string) => `zieht ${drawn}, darf ${allowed}`,
  ],
  noEvses: ['No charge point belongs to this group.', 'Keine Ladestation gehört zu dieser Gruppe.'],
  more: [(count: number) => `${count} more`, (count: number) => `${count} weitere`],
  leastPerCar: [
    (amps: string) => `Per phase. Least per car ${amps},`,
    (amps: string) => `Je Phase. Mindestens ${amps} je Auto,`,
  ],
  reserve: [(amps: string) => `reserve ${amps};`, (amps: string) => `Reserve ${amps};`],
  fallbackOwn: [
    'a charge point that loses the server falls to its part of the limit',
    'ohne Server fällt eine Ladestation auf ihren Teil des Limits zurück,',
  ],
  fallbackTo: [
    (amps: string) => `a charge point that loses the server falls to ${amps}`,
    (amps: string) => `ohne Server fällt eine Ladestation auf ${amps} zurück,`,
  ],
  after: [
    (seconds: number) => `after ${seconds} s at the latest.`,
    (seconds: number) => `spätestens nach ${seconds} s.`,
  ],
  course: ['Drawn by each EVSE', 'Strom je Ladepunkt'],
  courseOf: [
    (phase: string, span: string) => `A on ${phase}, ${span}`,
    (phase: string, span: string) => `A auf ${phase}, ${span}`,
  ],
  courseLabel: [
    (phase: string, most: string) =>
      `Current on ${phase} over time, building and EVSEs on top of each other: ${most} A at most`,
    (phase: string, most: string) =>
      `Strom auf ${phase} über die Zeit, Gebäude und Ladepunkte übereinander: höchstens ${most} A`,
  ],
  courseReported: [
    (steps: number) => `${steps} steps; of each the minute in which most was drawn. The same stands below as a table.`,
    (steps: number) =>
      `${steps} Schritte; von jedem die Minute, in der am meisten gezogen wurde. Dasselbe steht darunter als Tabelle.`,
  ],
  spanLabel: ['Time shown', 'Gezeigte Zeit'],
  spans: { hour: ['1 h', '1 h'], six: ['6 h', '6 h'], day: ['Day', 'Tag'], week: ['Week', 'Woche'] },
  nothingKnown: ['Nothing is known of this time.', 'Über diese Zeit ist nichts bekannt.'],
  shades: ['shades as in the table below', 'Farbtöne wie in der Tabelle darunter'],
  limitLine: ['limit of the connection', 'Limit des Anschlusses'],
  limitOf: [(amps: string) => `Limit ${amps} A`, (amps: string) => `Limit ${amps} A`],
  earlier: ['Earlier', 'Früher'],
  later: ['Later', 'Später'],
  toNow: ['Now', 'Jetzt'],
  asTable: ['As a table', 'Als Tabelle'],
  together: ['Together', 'Zusammen'],
  others: ['Others (A)', 'Weitere (A)'],
  states: {
    ok: ['within the limit', 'innerhalb des Limits'],
    safe: ['on its safe value', 'auf dem sicheren Wert'],
    exceeded: ['above the limit', 'über dem Limit'],
    unproved: ['not proved', 'nicht nachgewiesen'],
  },
  evseStates: {
    charging: ['charging', 'lädt'],
    idle: ['free', 'frei'],
    paused: ['waits', 'wartet'],
    silent: ['silent', 'still'],
    ignoring: ['ignores its limit', 'ignoriert ihr Limit'],
  },
})
