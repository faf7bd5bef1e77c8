/** The words of the pages of limit groups. */
import { pageTexts } from '../kit/texts.ts'

export const limitTexts = pageTexts({
  none: [
    'There are no limit groups yet. PUT /2/limit-groups/{name} makes one.',
    'Es gibt noch keine Limitgruppen. PUT /2/limit-groups/{name} legt eine an.',
  ],
  group: ['Group', 'Gruppe'],
  parent: ['Fed by', 'Gespeist von'],
  limit: ['Limit', 'Limit'],
  load: ['Building', 'Gebäude'],
  mayDraw: ['May draw', 'Darf ziehen'],
  draws: ['Draws', 'Zieht'],
  now: ['Now, per phase', 'Jetzt, je Phase'],
  shares: ['Shares', 'Anteile'],
  reason: ['Why', 'Warum'],
  ordered: ['Ordered by', 'Angeordnet von'],
  noEvses: ['No charge point belongs to this group.', 'Keine Ladestation gehört zu dieser Gruppe.'],
  day: ['The last day: current drawn on the fullest phase', 'Der letzte Tag: Strom der vollsten Phase'],
  dayOf: [
    (most: string) => `Current drawn on the fullest phase in the last day, at most ${most} A.`,
    (most: string) => `Strom auf der vollsten Phase am letzten Tag, höchstens ${most} A.`,
  ],
  states: {
    ok: ['within the limit', 'innerhalb des Limits'],
    safe: ['on its safe value', 'auf dem sicheren Wert'],
    exceeded: ['above the limit', 'über dem Limit'],
    unproved: ['not proved', 'nicht nachgewiesen'],
  },
  evseStates: {
    charging: ['charging', 'lädt'],
    idle: ['free', 'frei'],
    paused: ['paused', 'pausiert'],
    silent: ['silent', 'still'],
    ignoring: ['ignores its limit', 'hält sich nicht ans Limit'],
  },
})
