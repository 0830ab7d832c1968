// Which language a text looks like: by its script, and where many share one by the words that no text goes without. Cheap,
// and silent when it does not know; the server looks closer at what is published without one.

const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, 'ja'],
  [/\p{sc=Hangul}/u, 'ko'],
  [/\p{sc=Han}/u, 'zh'],
  [/\p{sc=Greek}/u, 'el'],
  [/\p{sc=Hebrew}/u, 'he'],
  [/\p{sc=Thai}/u, 'th'],
  [/\p{sc=Georgian}/u, 'ka'],
  [/\p{sc=Armenian}/u, 'hy'],
  [/\p{sc=Tamil}/u, 'ta'],
  [/\p{sc=Bengali}/u, 'bn'],
  [/\p{sc=Devanagari}/u, 'hi'],
  [/[پچژگ]/u, 'fa'],
  [/\p{sc=Arabic}/u, 'ar'],
  [/[іїєґ]/iu, 'uk'],
  [/[ыэё]/iu, 'ru'],
]

const words: Readonly<Record<string, string>> = {
  bg: 'и на да се за от не че това съм като по са ли към',
  ca: 'el la els les de que i amb per una és no però també aquest molt',
  cs: 'a se na je že to v s z do ale jsem jsou když nebo také',
  da: 'og i at det er en på jeg ikke som til af med den har',
  de: 'der die das und ist ich nicht ein eine zu den mit auf für es im von auch sich dass wir',
  en: 'the and is of to a in that it i you for was with on are this have not be my we',
  es: 'el la de que y en un una los es por con no para las se lo pero más está',
  et: 'ja on ei et see ma kui aga ka oma mis siis',
  eu: 'eta da ez bat du hau ere baina dut oso',
  fi: 'ja on ei se että en mutta niin kun minä myös oli ovat',
  fr: 'le la les de et est un une je pas que pour dans vous avec sur il ce mais',
  gl: 'o a os as de que e en unha non con para por máis pero',
  hr: 'je i u se na da za su nije od ali sam kao što',
  hu: 'a az és nem hogy egy is van de meg ez csak már volt',
  id: 'yang dan di ini itu tidak dengan untuk dari saya ada bisa',
  it: 'il la di che e è un una non per sono con mi del le ma anche',
  nb: 'og i det er på en som jeg ikke at til av med har',
  nl: 'de het een en van is ik niet dat in op te voor met zijn maar ook',
  pl: 'i w nie na się to że z jest do jak ale co są czy',
  pt: 'o a os as de que e não um uma em é com para eu mas mais está',
  ro: 'și în de la nu că este un o cu pe din mai am sunt',
  ru: 'и в не на я что с как это но по у так все',
  sv: 'och i att det är en på jag inte som för av med har den om',
  tr: 've bir bu da de için ben çok ne ama var değil gibi',
  uk: 'і в не на що я з це як до та але у так',
  vi: 'và là của có không cho một được người tôi này với',
}

const known = Object.entries(words).map(([code, list]) => [code, new Set(list.split(' '))] as const)
const noise = /https?:\/\/\S+|[@#][\p{L}\p{M}\p{N}_.@-]+|:\w+:/gu

/** The code of a language; null for a text that is too short, or could be several. */
export function guessLanguage(text: string): string | null {
  const plain = text.replaceAll(noise, ' ')
  const letters = plain.match(/\p{L}/gu)?.length ?? 0
  if (letters < 6) return null
  const latin = plain.match(/\p{sc=Latin}/gu)?.length ?? 0
  if (latin < letters / 2) {
    const found = scripts.find(([script]) => script.test(plain))
    if (found) return found[1]
  }
  return guessByWords(plain.toLowerCase().match(/[\p{L}\p{M}']+/gu) ?? [])
}

function guessByWords(list: readonly string[]): string | null {
  const scores = known
    .map(([code, common]) => [code, list.filter((word) => common.has(word)).length] as const)
    .toSorted((one, other) => other[1] - one[1])
  const [[code, best] = ['', 0], [, second] = ['', 0]] = scores
  return best >= 3 && best >= list.length * 0.15 && best > second * 1.3 ? code : null
}
