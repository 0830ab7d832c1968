// What the app says: `t.post.reply`. The catalogue is there before anything is shown, and stays.
import { catalogues } from 'virtual:texts'
import { setMessageLanguage } from './icu.ts'
import type { Messages } from './messages.ts'

/** The texts in the language of the document. */
export let t: Messages = {} as Messages
/** For dates and numbers: their language as the reader's region writes it. */
export let locale = 'en'

/** Loads the texts of a language; English where there are none. */
export async function loadTexts(wanted: string): Promise<void> {
  const language = wanted in catalogues ? wanted : 'en'
  locale = navigator.languages.find((one) => one.split('-')[0] === language) ?? language
  setMessageLanguage(language)
  const catalogue = await catalogues[language]?.()
  t = catalogue?.texts as Messages
}
