/** An outside service that translates. */
export interface Translator {
  /** As it is shown to people, such as `DeepL.com`. */
  readonly provider: string
  /**
   * From which languages (ISO 639-1 and regional codes as in lib/text/language.ts) to which. `null` as a source: the
   * service detects it. Cached by the adapter for a day. Rejects with AppError `unavailable`.
   */
  languages(): Promise<ReadonlyMap<string | null, readonly string[]>>
  /**
   * Translates HTML texts, keeping their order and tags. Rejects with AppError `unavailable` when the service fails
   * or its quota is used up.
   */
  translate(request: TranslationRequest): Promise<TranslatedTexts>
}

export interface TranslationRequest {
  texts: readonly string[]
  /** Null: to be detected. */
  from: string | null
  to: string
}

export interface TranslatedTexts {
  /** HTML as the service gave it: not clean. */
  texts: readonly string[]
  detectedLanguage: string
}
