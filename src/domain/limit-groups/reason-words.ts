import type { Reason } from './shares.ts'

type Words = { readonly [Code in Reason['code']]: (group: string) => string }

const REASON_WORDS: { readonly en: Words; readonly de: Words } = {
  en: {
    all: () => 'It has all that its connector can give.',
    carTakesLess: () => 'The car takes no more.',
    idle: () => 'Nothing charges: it counts with its fallback.',
    ending: () => 'Nothing charges: it counts with what the last charge left, until that is taken back.',
    above: () => 'It draws more than it may: it counts with what it draws.',
    unbounded: () => 'It holds no fallback yet: it counts with all that its connector can give.',
    silent: () => 'It is silent: it counts with all that it may still hold.',
    ignores: () =>
      'It ignores its limit: it counts with what it draws, and unmeasured with all that its connector can give.',
    foreign: () => 'A foreign profile allows it more: it counts with that until ours lies above it.',
    noFallback: () => 'It takes no fallback: it counts with all that its connector can give.',
    shared: (group) => `Its share of ${group}.`,
    comes: (group) => `It gets its share of ${group} as soon as others have made room.`,
    waits: (group) => `It waits for its turn: ${group} has no room for the minimum.`,
    noRoom: (group) => `It is new, and ${group} has no room: its fallback is 0.`,
  },
  de: {
    all: () => 'Sie hat alles, was ihr Anschluss hergibt.',
    carTakesLess: () => 'Das Auto nimmt nicht mehr.',
    idle: () => 'Es lädt nichts: sie zählt mit ihrem Rückfallwert.',
    ending: () =>
      'Es lädt nichts: sie zählt mit dem, was der letzte Ladevorgang übrig ließ, bis es zurückgenommen ist.',
    above: () => 'Sie zieht mehr, als sie darf: sie zählt mit dem, was sie zieht.',
    unbounded: () => 'Sie hält noch keinen Rückfallwert: sie zählt mit allem, was ihr Anschluss hergibt.',
    silent: () => 'Sie ist still: sie zählt mit allem, was sie noch halten kann.',
    ignores: () =>
      'Sie hält sich nicht an ihr Limit: sie zählt mit dem, was sie zieht, ungemessen mit allem, was ihr Anschluss hergibt.',
    foreign: () => 'Ein fremdes Profil erlaubt ihr mehr: sie zählt damit, bis unseres darüber liegt.',
    noFallback: () => 'Sie nimmt keinen Rückfallwert an: sie zählt mit allem, was ihr Anschluss hergibt.',
    shared: (group) => `Ihr Anteil an ${group}.`,
    comes: (group) => `Sie bekommt ihren Anteil an ${group}, sobald andere Platz gemacht haben.`,
    waits: (group) => `Sie wartet, bis sie an der Reihe ist: In ${group} reicht es nicht für das Minimum.`,
    noRoom: (group) => `Sie ist neu, und in ${group} ist kein Platz: ihr Rückfallwert ist 0.`,
  },
}

export function reasonText(reason: Reason, language: 'en' | 'de' = 'en'): string {
  return REASON_WORDS[language][reason.code]('group' in reason ? reason.group : '')
}
