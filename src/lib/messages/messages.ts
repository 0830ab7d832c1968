// Written by scripts/messages.ts from locales/en.json.

/** A message into which something is put. */
export type Say<Params> = (params: Params) => string

/** All messages by their keys: a key that there is not, and a parameter that is missing, do not compile. */
export interface Messages {
  readonly dateLocale: string
  readonly errors: {
    readonly validation_failed: Say<{ problems: string | number }>
    readonly field_problem: Say<{ field: string | number; problem: string | number }>
    readonly sentences: {
      readonly account_suspended: string
      readonly account_suspended_here: string
      readonly account_unknown_here: string
      readonly activity_not_of_signer: string
      readonly activity_type_needed: string
      readonly animation_frames: Say<{ frames: string | number }>
      readonly animation_size: Say<{ height: string | number; width: string | number }>
      readonly archive_damaged: string
      readonly archive_files_too_large: string
      readonly archive_import_busy: string
      readonly archive_names_outside: string
      readonly archive_once_a_week: string
      readonly archive_unpacks_too_large: Say<{ megabytes: string | number }>
      readonly attachments_processing: string
      readonly bad_request: string
      readonly body_no_activity: string
      readonly boost_incomplete: string
      readonly cannot_store_files: string
      readonly change_refused_as_spam: string
      readonly changed_meanwhile: string
      readonly directory_unavailable: string
      readonly doctor_failed: string
      readonly domain_not_allowed: Say<{ domain: string | number }>
      readonly draft_changed: string
      readonly draft_too_many_posts: Say<{ max: string | number }>
      readonly duplicate_record: string
      readonly email_not_awaiting: string
      readonly exists_already: Say<{ path: string | number }>
      readonly file_converts_too_long: string
      readonly file_needs_memory: string
      readonly file_not_in_archive: Say<{ name: string | number }>
      readonly file_too_large: string
      readonly file_unreadable: string
      readonly file_would_become_too_large: string
      readonly form_incomplete: string
      readonly frame_rate: Say<{ rate: string | number }>
      readonly host_block_exists: Say<{ domain: string | number }>
      readonly identity_changed: Say<{ provider: string | number }>
      readonly identity_of_other: Say<{ provider: string | number }>
      readonly identity_one_each: Say<{ provider: string | number }>
      readonly image_size: Say<{ height: string | number; width: string | number }>
      readonly import_account_inactive: string
      readonly import_interrupted: string
      readonly inbox_full: string
      readonly inbox_not_signed: string
      readonly internal: string
      readonly invalid_date: string
      readonly invite_not_valid: string
      readonly invite_used_up: string
      readonly item_empty: string
      readonly item_files_left_out: Say<{ max: string | number }>
      readonly item_files_unreadable: string
      readonly item_no_activity: string
      readonly item_no_json: string
      readonly item_not_written: string
      readonly item_of_other_author: string
      readonly item_too_long: string
      readonly item_without_author: string
      readonly item_without_date: string
      readonly json_broken: string
      readonly larger_than: Say<{ megabytes: string | number; name: string | number }>
      readonly last_way_in: string
      readonly login_disabled: string
      readonly login_pending: string
      readonly login_unconfirmed: string
      readonly media_failed: string
      readonly media_in_use: string
      readonly media_not_found: string
      readonly media_storage_unreachable: string
      readonly metrics_token_wrong: string
      readonly multipart_broken: string
      readonly needs_client_credentials: string
      readonly needs_user: string
      readonly new_keys_not_sent: Say<{ count: string | number }>
      readonly no_archive: string
      readonly no_free_id: string
      readonly no_limited_federation: string
      readonly no_local_account: Say<{ username: string | number }>
      readonly no_outbox: string
      readonly no_file_of_people: string
      readonly no_role_among: Say<{ name: string | number; names: string | number }>
      readonly no_single_role: Say<{ ids: string | number; name: string | number }>
      readonly no_room: string
      readonly no_whole_archive: Say<{ path: string | number }>
      readonly not_allowed: string
      readonly not_moved: Say<{ handle: string | number }>
      readonly not_published: string
      readonly oembed_json_only: string
      readonly only_ostatus: string
      readonly only_signed_in: string
      readonly other_application: string
      readonly outbox_breaks_off: string
      readonly outbox_no_json: string
      readonly outbox_no_list: string
      readonly outside_scopes: string
      readonly page_not_found: string
      readonly param_missing: Say<{ name: string | number }>
      readonly password_just_changed: string
      readonly people_of_this_domain: string
      readonly picture_type_unsupported: string
      readonly picture_unreadable: string
      readonly pictures_unavailable: string
      readonly post_refused_as_spam: string
      readonly post_unknown_here: string
      readonly post_waits: string
      readonly provider_denied: Say<{ provider: string | number }>
      readonly provider_not_believed: Say<{ provider: string | number }>
      readonly provider_unavailable: Say<{ provider: string | number }>
      readonly quoted_missing: string
      readonly record_gone: string
      readonly record_invalid: string
      readonly record_not_found: string
      readonly remote_data_unavailable: string
      readonly replied_missing: string
      readonly reply_closed: string
      readonly reply_followers_only: string
      readonly reply_following_only: string
      readonly request_not_signed: string
      readonly request_timed_out: string
      readonly request_too_large: string
      readonly robot_check_unavailable: string
      readonly search_paging_needs_user: string
      readonly search_resolve_needs_user: string
      readonly server_defederated: string
      readonly server_stopping: string
      readonly several_keywords: string
      readonly sign_ups_full: string
      readonly signature_key_no_address: string
      readonly signature_key_wrong: string
      readonly statistics_off: string
      readonly storing_timed_out: string
      readonly temporary_problem: string
      readonly thread_not_scheduled: string
      readonly thread_waits: string
      readonly token_expired: string
      readonly token_invalid: string
      readonly token_revoked: string
      readonly too_many_animation_frames: string
      readonly too_many_applications: Say<{ max: string | number }>
      readonly too_many_archive_entries: Say<{ max: string | number }>
      readonly too_many_archive_posts: Say<{ max: string | number }>
      readonly too_many_attachments: Say<{ max: string | number }>
      readonly too_many_columns: Say<{ max: string | number }>
      readonly too_many_drafts: Say<{ max: string | number }>
      readonly too_many_files_processing: string
      readonly too_many_parts: string
      readonly too_many_requests: string
      readonly translation_quota_used: string
      readonly translation_too_many: string
      readonly unexpected_accounts: string
      readonly unknown_address: Say<{ email: string | number }>
      readonly unspecified_validation: string
      readonly unsupported_content: string
      readonly update_conflict: string
      readonly upload_gone: string
      readonly video_frames: Say<{ frames: string | number }>
      readonly video_size: Say<{ height: string | number; width: string | number }>
      readonly video_with_images: string
      readonly video_without_pictures: string
      readonly videos_unavailable: string
      readonly server_not_set_up: string
    }
    readonly base: {
      readonly account_left_collection: string
      readonly account_not_featurable: string
      readonly account_not_found: string
      readonly alias_missing: string
      readonly appeal_decided: string
      readonly appeal_too_late: string
      readonly boost_pinned: string
      readonly collection_full: Say<{ max: string | number }>
      readonly emoji_is_local: string
      readonly emoji_picture_missing: string
      readonly endorsed_not_followed: string
      readonly everyone_role_fixed: string
      readonly file_empty: string
      readonly line_malformed: Say<{ line: string | number }>
      readonly local_only_unavailable: string
      readonly mentioned_only_pinned: string
      readonly moved_recently: string
      readonly no_context: string
      readonly no_csv: string
      readonly no_relay: string
      readonly no_setting: string
      readonly no_such_choice: string
      readonly only_limits_expire: string
      readonly others_post_pinned: string
      readonly own_poll: string
      readonly poll_ends_too_late: string
      readonly poll_ends_too_soon: string
      readonly poll_option_too_long: Say<{ max: string | number }>
      readonly poll_options_duplicate: string
      readonly poll_over: string
      readonly poll_too_few_options: string
      readonly poll_too_many_options: Say<{ max: string | number }>
      readonly quote_not_mentioned: string
      readonly relay_defederated: string
      readonly remote_emoji: string
      readonly role_fixed: string
      readonly role_of_everyone: string
      readonly role_undeletable: string
      readonly scheduled_past: string
      readonly start_after_end: string
      readonly strike_appealed: string
      readonly strike_overruled: string
      readonly target_has_moved: string
      readonly terms_announced: string
      readonly terms_not_published: string
      readonly terms_published: string
      readonly too_many_aliases: Say<{ max: string | number }>
      readonly too_many_days: Say<{ max: string | number }>
      readonly too_many_domain_blocks: Say<{ max: string | number }>
      readonly too_many_featured_tags: string
      readonly too_many_filtered_posts: Say<{ max: string | number }>
      readonly too_many_filters: Say<{ max: string | number }>
      readonly too_many_followed: Say<{ max: string | number }>
      readonly too_many_followed_tags: Say<{ max: string | number }>
      readonly too_many_invites: Say<{ max: string | number }>
      readonly too_many_keyword_characters: Say<{ max: string | number }>
      readonly too_many_lines: Say<{ max: string | number }>
      readonly too_many_lists: string
      readonly too_many_pins: string
      readonly too_many_reactions: string
      readonly too_many_rules: Say<{ max: string | number }>
      readonly too_many_scheduled: Say<{ max: string | number }>
      readonly too_many_scheduled_today: Say<{ max: string | number }>
      readonly too_many_webhooks: string
      readonly voted_already: string
    }
    readonly problems: {
      readonly before_start: string
      readonly below_age_limit: string
      readonly blank: string
      readonly day_of_other_version: string
      readonly day_past: string
      readonly disallowed_hashtags: Say<{ count: number; names: string | number }>
      readonly entry_empty: Say<{ name: string | number }>
      readonly entry_no_boolean: Say<{ name: string | number }>
      readonly entry_no_domain: Say<{ name: string | number }>
      readonly entry_no_hash: Say<{ name: string | number }>
      readonly entry_no_list: Say<{ name: string | number }>
      readonly entry_no_number: Say<{ max: string | number; name: string | number }>
      readonly entry_not_of: Say<{ name: string | number; words: string | number }>
      readonly entry_too_long: Say<{ max: string | number; name: string | number }>
      readonly entry_too_many: Say<{ max: string | number; name: string | number }>
      readonly entry_too_many_characters: Say<{ max: string | number; name: string | number }>
      readonly entry_unknown_media: Say<{ name: string | number }>
      readonly forbidden_uri: string
      readonly has_fragment: string
      readonly has_no: Say<{ name: string | number }>
      readonly has_no_language: Say<{ name: string | number }>
      readonly hidden_event: Say<{ name: string | number }>
      readonly invalid: string
      readonly local_host_age: string
      readonly long: string
      readonly must_be_absolute_uri: string
      readonly must_be_url: string
      readonly names_or_values_too_long: Say<{ max: string | number }>
      readonly needs_time_range: string
      readonly no_conditions_object: string
      readonly no_public_key: string
      readonly no_such: Say<{ name: string | number }>
      readonly no_such_day: string
      readonly no_such_rules: string
      readonly no_target: Say<{ reason: string | number }>
      readonly no_time: string
      readonly not_16_bytes: string
      readonly not_a_domain: Say<{ domain: string | number }>
      readonly not_a_domain_list: string
      readonly not_a_domain_name: string
      readonly not_a_setting: string
      readonly not_a_url: string
      readonly not_accepted: string
      readonly not_base64: string
      readonly not_between: Say<{ max: string | number; min: string | number }>
      readonly not_configured: string
      readonly not_for_remote: string
      readonly not_from_one: Say<{ max: string | number }>
      readonly not_in_future: string
      readonly not_included: string
      readonly not_of: Say<{ words: string | number }>
      readonly not_own_permissions: string
      readonly only_origin: string
      readonly other_name: string
      readonly own_address: string
      readonly own_addresses: string
      readonly own_server: string
      readonly provider_refused: string
      readonly rank_too_high: string
      readonly reserved: string
      readonly setting_no_account: string
      readonly setting_no_boolean: string
      readonly setting_no_email: string
      readonly setting_no_number: Say<{ max: string | number; min: string | number }>
      readonly setting_no_url: string
      readonly setting_not_of: Say<{ words: string | number }>
      readonly setting_too_long: Say<{ max: string | number }>
      readonly taken: string
      readonly too_far: string
      readonly too_long: Say<{ max: string | number }>
      readonly too_many_characters: Say<{ max: string | number }>
      readonly too_many_entries: Say<{ max: string | number }>
      readonly too_many_items: Say<{ max: string | number }>
      readonly too_many_kilobytes: Say<{ kilobytes: string | number }>
      readonly too_many_megabytes: Say<{ megabytes: string | number }>
      readonly too_short: Say<{ min: string | number }>
      readonly too_small: Say<{ min: string | number }>
      readonly unknown_condition: Say<{ name: string | number }>
      readonly unknown_emoji: string
      readonly unreachable: string
      readonly unsafe_permissions: string
      readonly values_without_labels: string
      readonly wrong_characters: string
      readonly wrong_content_type: string
    }
    readonly oauth: {
      readonly authenticated_twice: string
      readonly client_unauthenticated: string
      readonly client_unknown: string
      readonly code_challenge_malformed: string
      readonly code_challenge_method_unsupported: string
      readonly denied: string
      readonly grant_type_unsupported: string
      readonly invalid_grant: string
      readonly invalid_scope: string
      readonly missing_parameter: Say<{ name: string | number }>
      readonly redirect_uri_unregistered: string
      readonly response_mode_unsupported: string
      readonly response_type_unsupported: string
      readonly revocation_unauthorized: string
    }
    readonly fields: {
      readonly account: string
      readonly action: string
      readonly agreement: string
      readonly all_day: string
      readonly application_name: string
      readonly attribution_domains: string
      readonly avatar: string
      readonly avatar_description: string
      readonly canonical_email_hash: string
      readonly changelog: string
      readonly collection_limit: string
      readonly color: string
      readonly comment: string
      readonly conditions: string
      readonly context: string
      readonly current_password: string
      readonly data: string
      readonly date_of_birth: string
      readonly default_language: string
      readonly description: string
      readonly display_name: string
      readonly domain: string
      readonly effective_date: string
      readonly email: string
      readonly email_address: string
      readonly endpoint: string
      readonly ends_at: string
      readonly events: string
      readonly expires_at: string
      readonly expires_in: string
      readonly expiry: string
      readonly fields: string
      readonly file: string
      readonly header: string
      readonly header_description: string
      readonly hint: string
      readonly hours: string
      readonly image: string
      readonly ip: string
      readonly key: string
      readonly key_auth: string
      readonly key_p256dh: string
      readonly keyword: string
      readonly keywords_keyword: string
      readonly language: string
      readonly languages: string
      readonly max_uses: string
      readonly min_favs: string
      readonly min_reblogs: string
      readonly min_status_age: string
      readonly name: string
      readonly note: string
      readonly password: string
      readonly permissions: string
      readonly position: string
      readonly priority: string
      readonly reason: string
      readonly registered_uri: string
      readonly relay_inbox: string
      readonly replies_policy: string
      readonly role: string
      readonly rules: string
      readonly scheduled_at: string
      readonly scopes: string
      readonly service_agreement: string
      readonly severity: string
      readonly shortcode: string
      readonly since: string
      readonly starts_at: string
      readonly status: string
      readonly tag: string
      readonly text: string
      readonly title: string
      readonly translations: string
      readonly type: string
      readonly url: string
      readonly username: string
      readonly website: string
    }
  }
  readonly pages: {
    readonly common: {
      readonly signIn: string
      readonly signUp: string
      readonly signInFirst: string
      readonly signOut: string
      readonly signedInAs: Say<{ name: string | number }>
      readonly apps: string
      readonly settings: string
      readonly errorTitle: string
      readonly tooMany: string
      readonly notFound: string
      readonly gone: string
      readonly stale: string
      readonly broken: string
      readonly skip: string
      readonly menu: string
      readonly undo: string
      readonly desk: string
    }
    readonly archive: {
      readonly exportTitle: string
      readonly exportHint: string
      readonly request: string
      readonly later: Say<{ day: string | number }>
      readonly states: {
        readonly scheduled: string
        readonly in_progress: string
        readonly finished: string
        readonly failed: string
      }
      readonly expired: string
      readonly until: Say<{ day: string | number }>
      readonly download: string
      readonly importTitle: string
      readonly importHint: string
      readonly importFile: string
      readonly upload: string
      readonly busy: string
      readonly noFile: string
      readonly archive: string
      readonly confirmHint: Say<{ name: string | number }>
      readonly contents: {
        readonly posts: Say<{ count: number }>
        readonly from: string
        readonly to: string
        readonly boosts: Say<{ count: number }>
        readonly others: Say<{ count: number }>
      }
      readonly confirmMore: string
      readonly imported: Say<{ n: string | number }>
      readonly skipped: {
        readonly boost: Say<{ n: string | number }>
        readonly quote: Say<{ n: string | number }>
        readonly direct: Say<{ n: string | number }>
        readonly other: Say<{ n: string | number }>
        readonly present: Say<{ n: string | number }>
      }
      readonly steps: {
        readonly ask: string
        readonly make: string
        readonly take: string
      }
      readonly progress: Say<{ all: string | number; done: string | number }>
      readonly mailed: string
    }
    readonly applications: {
      readonly title: string
      readonly hint: string
      readonly none: string
      readonly make: string
      readonly name: string
      readonly website: string
      readonly redirects: string
      readonly redirectsHint: Say<{ address: string | number }>
      readonly scopes: string
      readonly finer: Say<{ scope: string | number }>
      readonly save: string
      readonly clientId: string
      readonly clientSecret: string
      readonly token: string
      readonly toldOnce: string
      readonly secretHint: string
      readonly rotateSecret: string
      readonly tokenHint: string
      readonly rotateToken: string
      readonly delete: string
      readonly deleteHint: string
      readonly back: string
    }
    readonly authorize: {
      readonly title: Say<{ app: string | number }>
      readonly asks: Say<{ account: string | number; app: string | number }>
      readonly nothing: string
      readonly beware: string
      readonly returns: Say<{ where: string | number }>
      readonly allow: string
      readonly deny: string
      readonly codeTitle: string
      readonly codeHint: string
      readonly sendTitle: string
      readonly sendHint: string
      readonly send: string
      readonly badTitle: string
      readonly badHint: string
      readonly deniedHere: string
      readonly appsTitle: string
      readonly appsNone: string
      readonly appsHint: string
      readonly since: Say<{ day: string | number }>
      readonly lastUsed: Say<{ day: string | number }>
      readonly neverUsed: string
      readonly revoke: string
      readonly otherAccount: string
    }
    readonly confirmation: {
      readonly title: string
      readonly email: string
      readonly resend: string
      readonly asked: string
      readonly invalid: string
      readonly confirmedTitle: string
      readonly confirmed: string
      readonly pending: string
      readonly changedTitle: string
      readonly changed: string
      readonly signIn: string
      readonly home: string
      readonly setupTitle: string
      readonly setup: string
      readonly correct: string
      readonly sentAgain: Say<{ email: string | number }>
    }
    readonly delete: {
      readonly title: string
      readonly what: Say<{ acct: string | number }>
      readonly archive: string
      readonly password: string
      readonly wrong: string
      readonly submit: string
      readonly done: string
      readonly doneHint: string
    }
    readonly edit: {
      readonly title: string
      readonly emailTitle: string
      readonly email: string
      readonly emailNow: Say<{ email: string | number }>
      readonly emailWaiting: Say<{ email: string | number }>
      readonly current: string
      readonly changeEmail: string
      readonly emailAskedTitle: string
      readonly emailAsked: string
      readonly passwordTitle: string
      readonly password: string
      readonly passwordHint: string
      readonly changePassword: string
      readonly changedTitle: string
      readonly changed: string
      readonly back: string
    }
    readonly followers: {
      readonly title: string
      readonly hint: string
      readonly none: string
      readonly count: Say<{ n: number }>
      readonly remove: string
    }
    readonly interact: {
      readonly title: string
      readonly hint: Say<{ name: string | number }>
      readonly follow: string
      readonly following: string
      readonly favourite: string
      readonly boost: string
      readonly done: string
      readonly asked: string
      readonly did: string
      readonly missingTitle: string
      readonly missing: string
      readonly reply: string
    }
    readonly invites: {
      readonly title: string
      readonly hint: string
      readonly uses: string
      readonly noLimit: string
      readonly times: Say<{ count: number }>
      readonly lasts: string
      readonly minutes: string
      readonly hours: Say<{ count: number }>
      readonly days: Say<{ count: number }>
      readonly autofollow: string
      readonly comment: string
      readonly make: string
      readonly none: string
      readonly used: Say<{ uses: string | number }>
      readonly until: Say<{ time: string | number }>
      readonly over: string
      readonly revoke: string
      readonly older: string
      readonly forbidden: string
      readonly usedOf: Say<{ max: string | number; uses: string | number }>
    }
    readonly mailSettings: {
      readonly kinds: {
        readonly mention: {
          readonly when: string
          readonly mails: string
        }
        readonly quote: {
          readonly when: string
          readonly mails: string
        }
        readonly follow: {
          readonly when: string
          readonly mails: string
        }
        readonly follow_request: {
          readonly when: string
          readonly mails: string
        }
        readonly reblog: {
          readonly when: string
          readonly mails: string
        }
        readonly favourite: {
          readonly when: string
          readonly mails: string
        }
        readonly digest: {
          readonly when: string
          readonly mails: string
        }
        readonly report: {
          readonly when: string
          readonly mails: string
        }
        readonly pending_account: {
          readonly when: string
          readonly mails: string
        }
        readonly appeal: {
          readonly when: string
          readonly mails: string
        }
      }
      readonly title: string
      readonly hint: string
      readonly always: string
      readonly stopTitle: string
      readonly stop: Say<{ mails: string | number; server: string | number }>
      readonly stopNow: string
      readonly stoppedTitle: string
      readonly stopped: Say<{ mails: string | number; server: string | number }>
      readonly toSettings: string
    }
    readonly manifest: {
      readonly publish: string
      readonly notifications: string
      readonly explore: string
    }
    readonly migration: {
      readonly title: string
      readonly aliasesTitle: string
      readonly aliasesHint: string
      readonly noAliases: string
      readonly thenTitle: string
      readonly awayHint: string
      readonly movedTo: Say<{ acct: string | number }>
      readonly cancel: string
      readonly inTitle: string
      readonly inHint: string
      readonly alias: string
      readonly addAlias: string
      readonly removeAlias: string
      readonly outTitle: string
      readonly outHint: string
      readonly target: string
      readonly password: string
      readonly move: string
      readonly redirectTitle: string
      readonly redirectHint: string
      readonly redirect: string
      readonly past: string
      readonly pastMove: Say<{ acct: string | number; followers: string | number }>
      readonly inBring: string
      readonly inBringLink: string
      readonly inName: string
      readonly inStart: string
      readonly outTake: string
      readonly outTakeLink: string
      readonly outName: string
      readonly outMove: string
      readonly came: Say<{ all: string | number; came: string | number }>
      readonly progress: string
    }
    readonly password: {
      readonly askTitle: string
      readonly email: string
      readonly ask: string
      readonly asked: string
      readonly title: string
      readonly password: string
      readonly passwordHint: string
      readonly change: string
      readonly invalidTitle: string
      readonly invalid: string
      readonly askAgain: string
      readonly changedTitle: string
      readonly changed: string
      readonly signIn: string
    }
    readonly portability: {
      readonly exportTitle: string
      readonly exportHint: string
      readonly lists: {
        readonly following: string
        readonly muting: string
        readonly blocking: string
        readonly domain_blocking: string
        readonly lists: string
        readonly bookmarks: string
      }
      readonly download: string
      readonly importTitle: string
      readonly importHint: string
      readonly type: string
      readonly file: string
      readonly mode: string
      readonly merge: string
      readonly overwrite: string
      readonly look: string
      readonly confirmTitle: string
      readonly confirmHint: Say<{ list: string | number; rows: string | number }>
      readonly overwriteHint: string
      readonly confirm: string
      readonly discard: string
      readonly recent: string
      readonly states: {
        readonly unconfirmed: string
        readonly scheduled: string
        readonly in_progress: string
        readonly finished: string
        readonly failed: string
      }
      readonly progress: Say<{ all: string | number; done: string | number; failed: number }>
      readonly failures: string
      readonly steps: {
        readonly choose: string
        readonly look: string
        readonly run: string
        readonly result: string
      }
      readonly preview: {
        readonly added: Say<{ count: number }>
        readonly known: Say<{ count: number }>
        readonly lost: Say<{ count: number }>
        readonly unreadable: Say<{ count: number }>
        readonly begins: string
      }
      readonly see: string
      readonly again: string
      readonly all: string
      readonly runsAlone: string
      readonly result: Say<{ count: number }>
      readonly noFile: string
      readonly toImport: string
      readonly toExport: string
    }
    readonly public: {
      readonly people: Say<{ count: number; shown: string | number }>
      readonly posts: Say<{ count: number; shown: string | number }>
      readonly following: Say<{ shown: string | number }>
      readonly followers: Say<{ count: number; shown: string | number }>
      readonly federated: string
      readonly defaultDescription: string
      readonly latest: string
      readonly trending: string
      readonly nothing: string
      readonly about: string
      readonly aboutTitle: string
      readonly rules: string
      readonly noRules: string
      readonly contact: string
      readonly privacy: string
      readonly docs: string
      readonly privacyTitle: string
      readonly termsTitle: string
      readonly inForce: Say<{ day: string | number }>
      readonly from: Say<{ day: string | number }>
      readonly signUp: string
      readonly signIn: string
      readonly byApproval: string
      readonly closed: string
      readonly welcome: string
      readonly useApp: string
      readonly yourProfile: string
      readonly api: string
      readonly boosted: string
      readonly pinned: string
      readonly edited: string
      readonly sensitive: string
      readonly warning: string
      readonly replies: string
      readonly boosts: string
      readonly favourites: string
      readonly votes: Say<{ count: number; shown: string | number }>
      readonly voters: Say<{ count: number; shown: string | number }>
      readonly pollEnded: string
      readonly pollEnds: string
      readonly pollMultiple: string
      readonly pollHidden: string
      readonly alt: string
      readonly showDescription: string
      readonly video: string
      readonly quotesAnother: string
      readonly quotePending: string
      readonly quoteRefused: string
      readonly quoteDeleted: string
      readonly quoteHidden: string
      readonly quoteBlocked: string
      readonly quoteBlockedDomain: string
      readonly quoteMuted: string
      readonly reactions: string
      readonly localOnly: string
      readonly images: Say<{ count: number; shown: string | number }>
      readonly videos: Say<{ count: number; shown: string | number }>
      readonly sounds: Say<{ count: number; shown: string | number }>
      readonly files: Say<{ count: number; shown: string | number }>
      readonly attachment: string
      readonly private: string
      readonly direct: string
      readonly older: string
      readonly newest: string
      readonly joined: string
      readonly bot: string
      readonly locked: string
      readonly verified: string
      readonly moved: string
      readonly memorial: string
      readonly feed: string
      readonly tagHint: string
      readonly tabPosts: string
      readonly tabReplies: string
      readonly tabMedia: string
      readonly featured: string
      readonly collection: string
      readonly collectionBy: string
      readonly collectionSensitive: string
      readonly collectionEmpty: string
      readonly accounts: Say<{ count: number; shown: string | number }>
      readonly picture: string
      readonly sound: string
      readonly kinds: string
      readonly pages: string
      readonly noTerms: string
      readonly timelines: {
        readonly everything: string
        readonly local: string
        readonly remote: string
      }
      readonly timelinesLabel: string
      readonly timelineHints: {
        readonly everything: string
        readonly local: string
        readonly remote: string
      }
    }
    readonly scopes: {
      readonly areas: {
        readonly accounts: string
        readonly blocks: string
        readonly bookmarks: string
        readonly canonical_email_blocks: string
        readonly collections: string
        readonly conversations: string
        readonly domain_allows: string
        readonly domain_blocks: string
        readonly email_domain_blocks: string
        readonly favourites: string
        readonly filters: string
        readonly follows: string
        readonly ip_blocks: string
        readonly lists: string
        readonly media: string
        readonly mutes: string
        readonly notifications: string
        readonly reports: string
        readonly search: string
        readonly statuses: string
      }
      readonly whole: {
        readonly profile: string
        readonly read: string
        readonly write: string
        readonly follow: string
        readonly push: string
        readonly offline_access: string
        readonly 'admin:read': string
        readonly 'admin:write': string
      }
      readonly parts: {
        readonly read: Say<{ area: string | number }>
        readonly write: Say<{ area: string | number }>
        readonly 'admin:read': Say<{ area: string | number }>
        readonly 'admin:write': Say<{ area: string | number }>
      }
    }
    readonly secondFactor: {
      readonly title: string
      readonly hint: Say<{ name: string | number }>
      readonly code: string
      readonly onlyRecovery: string
      readonly wrong: string
      readonly wrongPasskey: string
      readonly usePasskey: string
      readonly or: string
      readonly submit: string
      readonly startOver: string
      readonly lost: string
      readonly signInTitle: string
      readonly signInHint: string
      readonly signIn: string
      readonly byPassword: string
      readonly passkeyRefused: string
      readonly passkeyThere: string
      readonly passkeyUnknown: string
    }
    readonly sessions: {
      readonly title: string
      readonly hint: string
      readonly here: string
      readonly unknown: string
      readonly on: Say<{ browser: string | number; system: string | number }>
      readonly signedIn: Say<{ day: string | number }>
      readonly seen: Say<{ time: string | number }>
      readonly end: string
      readonly endOthers: string
      readonly none: string
      readonly apps: string
    }
    readonly signIn: {
      readonly title: string
      readonly name: string
      readonly password: string
      readonly wrong: string
      readonly forgotten: string
      readonly noMail: string
      readonly noAccount: string
      readonly unconfirmed: string
      readonly resend: string
      readonly pending: string
      readonly disabled: string
      readonly factorless: string
      readonly passkey: string
      readonly goOn: string
    }
    readonly signUp: {
      readonly title: string
      readonly username: string
      readonly usernameHint: Say<{ domain: string | number }>
      readonly email: string
      readonly password: string
      readonly passwordHint: string
      readonly reason: string
      readonly dateOfBirth: string
      readonly dateOfBirthHint: Say<{ years: string | number }>
      readonly agreement: string
      readonly rules: string
      readonly submit: string
      readonly hasAccount: string
      readonly approval: string
      readonly closedTitle: string
      readonly closed: string
      readonly full: string
      readonly invited: string
      readonly inviteGoneTitle: string
      readonly inviteGone: string
      readonly inviteUnknown: string
      readonly agreementWithoutRules: string
      readonly privacy: string
      readonly notSetUp: string
    }
    readonly signUpProblems: {
      readonly ERR_BLANK: string
      readonly ERR_INVALID: string
      readonly ERR_TAKEN: string
      readonly ERR_RESERVED: string
      readonly ERR_BLOCKED: string
      readonly ERR_UNREACHABLE: string
      readonly ERR_ACCEPTED: string
      readonly ERR_TOO_LONG: string
      readonly ERR_TOO_SHORT: string
      readonly ERR_BELOW_LIMIT: string
      readonly username: string
      readonly currentPassword: string
    }
    readonly statusesCleanup: {
      readonly title: string
      readonly hint: string
      readonly enabled: string
      readonly age: string
      readonly ages: {
        readonly week: string
        readonly twoWeeks: string
        readonly month: string
        readonly twoMonths: string
        readonly threeMonths: string
        readonly halfYear: string
        readonly year: string
        readonly twoYears: string
      }
      readonly keep: string
      readonly keepPinned: string
      readonly keepDirect: string
      readonly keepSelfFavourite: string
      readonly keepSelfBookmark: string
      readonly keepPolls: string
      readonly keepMedia: string
      readonly minFavourites: string
      readonly minReblogs: string
      readonly unlimited: string
      readonly save: string
      readonly saved: string
    }
    readonly strikes: {
      readonly decisions: {
        readonly none: {
          readonly title: string
          readonly told: string
        }
        readonly disable: {
          readonly title: string
          readonly told: string
        }
        readonly mark_statuses_as_sensitive: {
          readonly title: string
          readonly told: string
        }
        readonly delete_statuses: {
          readonly title: string
          readonly told: string
        }
        readonly sensitive: {
          readonly title: string
          readonly told: string
        }
        readonly silence: {
          readonly title: string
          readonly told: string
        }
        readonly suspend: {
          readonly title: string
          readonly told: string
        }
      }
      readonly title: string
      readonly hint: Say<{ acct: string | number }>
      readonly none: string
      readonly older: string
      readonly all: string
      readonly says: string
      readonly category: {
        readonly spam: string
        readonly legal: string
      }
      readonly why: string
      readonly rules: string
      readonly posts: string
      readonly gone: string
      readonly attachments: Say<{ n: number }>
      readonly openPost: string
      readonly overruled: string
      readonly appealTitle: string
      readonly appealHint: Say<{ until: string | number }>
      readonly words: string
      readonly most: Say<{ n: string | number }>
      readonly submit: string
      readonly yours: string
      readonly states: {
        readonly pending: string
        readonly approved: string
        readonly rejected: string
      }
      readonly badges: {
        readonly pending: string
        readonly approved: string
        readonly rejected: string
      }
      readonly late: string
      readonly problems: {
        readonly blank: string
        readonly long: Say<{ n: string | number }>
        readonly other: string
      }
    }
    readonly twoFactor: {
      readonly title: string
      readonly hint: string
      readonly on: string
      readonly off: string
      readonly required: string
      readonly requiredOn: string
      readonly unlockTitle: string
      readonly unlockHint: string
      readonly password: string
      readonly wrongPassword: string
      readonly unlock: string
      readonly locked: string
      readonly appTitle: string
      readonly appOff: string
      readonly appOn: Say<{ day: string | number }>
      readonly appBegin: string
      readonly appReplace: string
      readonly appRemove: string
      readonly scan: string
      readonly typeInstead: string
      readonly code: string
      readonly wrongCode: string
      readonly confirm: string
      readonly passkeysTitle: string
      readonly passkeysHint: string
      readonly passkeysImpossible: string
      readonly added: Say<{ day: string | number }>
      readonly used: Say<{ day: string | number }>
      readonly neverUsed: string
      readonly change: string
      readonly name: string
      readonly rename: string
      readonly remove: string
      readonly passkeyName: string
      readonly passkeyNameHint: string
      readonly passkeyBegin: string
      readonly passkeyNewTitle: string
      readonly passkeyNew: Say<{ name: string | number }>
      readonly passkeyMake: string
      readonly passkeyFailed: string
      readonly passkeyTooMany: Say<{ most: string | number }>
      readonly codesTitle: string
      readonly codesLeft: Say<{ left: number }>
      readonly codesRenew: string
      readonly codesOnce: string
      readonly doneTitle: string
      readonly addedDone: string
      readonly needed: string
      readonly goOn: string
    }
    readonly app: {
      readonly needsScripts: string
      readonly plainPage: string
      readonly settings: string
      readonly lost: string
      readonly retry: string
    }
    readonly remote: {
      readonly follow: string
      readonly reply: string
      readonly vote: string
      readonly server: string
      readonly example: string
      readonly hint: string
      readonly goOn: string
      readonly orHere: string
      readonly signIn: string
      readonly unknown: string
      readonly leads: Say<{ server: string | number }>
      readonly back: string
    }
    readonly design: {
      readonly title: string
      readonly hint: string
      readonly color: string
      readonly type: string
      readonly space: string
      readonly shape: string
      readonly motion: string
      readonly parts: string
      readonly main: string
      readonly quiet: string
      readonly link: string
      readonly notice: string
      readonly problem: string
    }
    readonly docs: {
      readonly contents: string
      readonly all: string
    }
    readonly settings: {
      readonly label: string
      readonly all: string
      readonly search: string
      readonly find: string
      readonly found: Say<{ count: number }>
      readonly save: string
      readonly saved: string
      readonly groups: {
        readonly account: string
        readonly people: string
        readonly preferences: string
        readonly data: string
        readonly profile: string
        readonly reading: string
      }
      readonly places: {
        readonly '/auth/edit': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/two-factor': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/identities': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/sessions': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/oauth/authorized_applications': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/applications': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/disputes/strikes': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/followers': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/severed_relationships': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/invites': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/notifications': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/imports': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/export': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/aliases': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/migration': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/statuses_cleanup': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/delete': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/profile': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/privacy': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/verification': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/featured_tags': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/preferences/appearance': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/preferences/posting_defaults': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/relationships': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/mutes': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/blocks': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/domain_blocks': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/followed_tags': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/filters': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/lists': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/statistics': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/lists': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/filters': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/muted_conversations': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
        readonly '/settings/collections': {
          readonly name: string
          readonly about: string
          readonly words: string
        }
      }
      readonly remove: string
      readonly noTag: string
      readonly profile: {
        readonly hint: string
        readonly look: string
        readonly displayName: string
        readonly displayNameHint: Say<{ max: string | number }>
        readonly note: string
        readonly noteHint: Say<{ max: string | number }>
        readonly pictures: string
        readonly picturesHint: Say<{ megabytes: string | number }>
        readonly avatar: string
        readonly header: string
        readonly choose: string
        readonly replace: string
        readonly remove: string
        readonly description: string
        readonly descriptionHint: string
        readonly preview: string
        readonly zoom: string
        readonly across: string
        readonly down: string
        readonly fields: string
        readonly fieldsHint: string
        readonly toVerification: string
        readonly fieldName: string
        readonly fieldValue: string
        readonly fieldNameOf: Say<{ number: string | number }>
        readonly fieldValueOf: Say<{ number: string | number }>
        readonly verified: string
        readonly page: string
        readonly showMedia: string
        readonly showMediaHint: string
        readonly showMediaReplies: string
        readonly showMediaRepliesHint: string
        readonly showFeatured: string
        readonly showFeaturedHint: string
        readonly bot: string
        readonly botHint: string
      }
      readonly privacy: {
        readonly hint: string
        readonly parts: {
          readonly reach: string
          readonly found: string
          readonly shown: string
        }
        readonly switches: {
          readonly unlocked: {
            readonly label: string
            readonly hint: string
          }
          readonly discoverable: {
            readonly label: string
            readonly hint: string
          }
          readonly indexable: {
            readonly label: string
            readonly hint: string
          }
          readonly search_engines: {
            readonly label: string
            readonly hint: string
          }
          readonly show_collections: {
            readonly label: string
            readonly hint: string
          }
          readonly show_application: {
            readonly label: string
            readonly hint: string
          }
        }
      }
      readonly verification: {
        readonly hint: string
        readonly stepLink: string
        readonly stepHead: string
        readonly stepField: string
        readonly toFields: string
        readonly none: string
        readonly yours: string
        readonly verified: string
        readonly waiting: string
        readonly check: string
        readonly authorship: string
        readonly authorshipHint: string
        readonly domains: string
        readonly domainsHint: string
      }
      readonly featuredTags: {
        readonly hint: string
        readonly name: string
        readonly add: string
        readonly suggested: string
        readonly yours: string
        readonly posts: Say<{ count: number }>
      }
      readonly appearance: {
        readonly hint: string
        readonly language: string
        readonly languageHint: string
        readonly languageOfBrowser: string
        readonly look: string
        readonly looks: {
          readonly theme: {
            readonly label: string
            readonly usual: string
            readonly light: string
            readonly dark: string
          }
          readonly contrast: {
            readonly label: string
            readonly usual: string
            readonly more: string
          }
          readonly text_size: {
            readonly label: string
            readonly usual: string
            readonly large: string
            readonly larger: string
          }
          readonly density: {
            readonly label: string
            readonly usual: string
            readonly compact: string
          }
          readonly motion: {
            readonly label: string
            readonly usual: string
            readonly less: string
          }
          readonly columns: {
            readonly label: string
            readonly usual: string
            readonly one: string
          }
        }
        readonly reading: string
        readonly media: string
        readonly medias: {
          readonly default: string
          readonly show_all: string
          readonly hide_all: string
        }
        readonly spoilers: string
        readonly animations: string
        readonly languages: string
        readonly languagesHint: string
        readonly moreLanguages: string
      }
      readonly posting: {
        readonly hint: string
        readonly visibility: string
        readonly visibilities: {
          readonly public: {
            readonly label: string
            readonly hint: string
          }
          readonly unlisted: {
            readonly label: string
            readonly hint: string
          }
          readonly private: {
            readonly label: string
            readonly hint: string
          }
        }
        readonly quotes: string
        readonly quotesHint: string
        readonly quotePolicies: {
          readonly public: string
          readonly followers: string
          readonly nobody: string
        }
        readonly replies: string
        readonly repliesHint: string
        readonly replyPolicies: {
          readonly public: string
          readonly followers: string
          readonly following: string
          readonly mentioned: string
        }
        readonly language: string
        readonly languageHint: string
        readonly languageOfInterface: string
        readonly sensitive: string
        readonly sensitiveHint: string
      }
      readonly policy: {
        readonly title: string
        readonly hint: string
        readonly requests: string
        readonly rules: {
          readonly for_not_following: string
          readonly for_not_followers: string
          readonly for_new_accounts: string
          readonly for_private_mentions: string
          readonly for_limited_accounts: string
          readonly for_bots: string
        }
        readonly values: {
          readonly accept: string
          readonly filter: string
          readonly drop: string
        }
      }
      readonly browser: {
        readonly title: string
        readonly push: string
        readonly failed: string
        readonly needsScripts: string
        readonly links: string
        readonly linksHint: string
      }
      readonly devices: {
        readonly title: string
        readonly hint: string
        readonly none: string
        readonly since: string
        readonly policy: string
        readonly policies: {
          readonly all: string
          readonly followed: string
          readonly follower: string
          readonly none: string
        }
        readonly kinds: {
          readonly mention: string
          readonly quote: string
          readonly status: string
          readonly reblog: string
          readonly follow: string
          readonly follow_request: string
          readonly favourite: string
          readonly poll: string
          readonly update: string
          readonly quoted_update: string
        }
        readonly end: string
      }
      readonly relations: {
        readonly filter: string
        readonly show: string
        readonly none: string
        readonly newer: string
        readonly older: string
        readonly choices: {
          readonly relationship: {
            readonly label: string
            readonly following: string
            readonly followed_by: string
            readonly mutual: string
            readonly invited: string
          }
          readonly status: {
            readonly label: string
            readonly all: string
            readonly moved: string
            readonly primary: string
          }
          readonly activity: {
            readonly label: string
            readonly all: string
            readonly dormant: string
          }
          readonly order: {
            readonly label: string
            readonly recent: string
            readonly active: string
          }
        }
        readonly lastPost: string
        readonly noPost: string
        readonly movedTo: string
        readonly withTicked: string
        readonly acts: {
          readonly follow: string
          readonly unfollow: string
          readonly remove_follower: string
          readonly block_domain: string
        }
        readonly done: {
          readonly follow: Say<{ count: number }>
          readonly unfollow: Say<{ count: number }>
          readonly remove_follower: Say<{ count: number }>
          readonly block_domain: Say<{ count: number }>
        }
      }
      readonly limited: {
        readonly handle: string
        readonly domain: string
        readonly until: string
        readonly unknown: string
        readonly durations: {
          readonly '0': string
          readonly '3600': string
          readonly '86400': string
          readonly '604800': string
          readonly '2592000': string
        }
        readonly '/settings/blocks': {
          readonly hint: string
          readonly add: string
          readonly end: string
          readonly none: string
        }
        readonly '/settings/mutes': {
          readonly hint: string
          readonly add: string
          readonly end: string
          readonly none: string
        }
        readonly '/settings/domain_blocks': {
          readonly hint: string
          readonly add: string
          readonly end: string
          readonly none: string
        }
      }
      readonly followedTags: {
        readonly hint: string
        readonly follow: string
        readonly unfollow: string
      }
      readonly statistics: {
        readonly hint: string
        readonly enabled: string
        readonly enabledHint: string
        readonly before: string
        readonly after: string
        readonly kinds: {
          readonly statuses: string
          readonly favourites: string
          readonly reblogs: string
          readonly replies: string
          readonly quotes: string
          readonly followers: string
        }
        readonly incomplete: string
        readonly top: string
        readonly came: Say<{ boosts: string | number; favourites: string | number; replies: string | number }>
        readonly days: string
        readonly day: string
      }
      readonly lists: {
        readonly name: string
        readonly replies: string
        readonly policies: {
          readonly list: string
          readonly followed: string
          readonly none: string
        }
        readonly exclusive: string
        readonly exclusiveHint: string
        readonly make: string
        readonly none: string
        readonly another: string
        readonly change: string
        readonly changeOne: Say<{ title: string | number }>
        readonly members: string
        readonly noMembers: string
        readonly handle: string
        readonly handleHint: string
        readonly add: string
        readonly notFollowed: string
        readonly delete: string
        readonly deleteNow: string
        readonly read: string
      }
      readonly filters: {
        readonly hint: string
        readonly none: string
        readonly make: string
        readonly over: string
        readonly name: string
        readonly nameHint: string
        readonly where: string
        readonly contexts: {
          readonly home: string
          readonly notifications: string
          readonly public: string
          readonly thread: string
          readonly account: string
        }
        readonly what: string
        readonly actions: {
          readonly warn: {
            readonly label: string
            readonly hint: string
          }
          readonly blur: {
            readonly label: string
            readonly hint: string
          }
          readonly hide: {
            readonly label: string
            readonly hint: string
          }
        }
        readonly until: string
        readonly durations: {
          readonly '1800': string
          readonly '3600': string
          readonly '86400': string
          readonly '604800': string
          readonly never: string
          readonly keep: string
        }
        readonly words: string
        readonly wordsHint: string
        readonly word: Say<{ number: string | number }>
        readonly wholeWord: string
        readonly posts: string
        readonly post: Say<{ id: string | number }>
        readonly delete: string
        readonly deleteNow: string
      }
      readonly mutedConversations: {
        readonly hint: string
        readonly none: string
        readonly unmute: string
        readonly wordless: string
      }
      readonly collections: {
        readonly hint: string
        readonly none: string
        readonly another: string
        readonly make: string
        readonly name: string
        readonly description: string
        readonly tag: string
        readonly discoverable: string
        readonly discoverableHint: string
        readonly sensitive: string
        readonly members: string
        readonly memberHint: Say<{ max: string | number }>
        readonly noMembers: string
        readonly left: string
        readonly delete: string
        readonly deleteNow: string
        readonly see: string
      }
      readonly severed: {
        readonly hint: string
        readonly none: string
        readonly types: {
          readonly domain_block: Say<{ name: string | number }>
          readonly user_domain_block: Say<{ name: string | number }>
          readonly account_suspension: Say<{ name: string | number }>
        }
        readonly lost: Say<{ followers: number; following: number }>
        readonly following: string
        readonly followers: string
        readonly unknown: string
        readonly fewer: string
      }
    }
    readonly admin: {
      readonly menu: string
      readonly trail: string
      readonly waiting: Say<{ count: string | number }>
      readonly pages: string
      readonly first: string
      readonly newer: string
      readonly older: string
      readonly tick: string
      readonly select: Say<{ name: string | number }>
      readonly withTicked: string
      readonly filter: string
      readonly unfilter: string
      readonly back: string
      readonly concerns: Say<{ count: number }>
      readonly groups: {
        readonly moderation: string
        readonly federation: string
        readonly limits: string
        readonly server: string
        readonly operation: string
      }
      readonly sections: {
        readonly dashboard: string
        readonly reports: string
        readonly appeals: string
        readonly accounts: string
        readonly held_posts: string
        readonly trends: string
        readonly instances: string
        readonly domain_blocks: string
        readonly block_lists: string
        readonly relays: string
        readonly invites: string
        readonly email_domain_blocks: string
        readonly ip_blocks: string
        readonly username_blocks: string
        readonly spam_rules: string
        readonly settings: string
        readonly rules: string
        readonly terms: string
        readonly announcements: string
        readonly custom_emojis: string
        readonly roles: string
        readonly webhooks: string
        readonly jobs: string
        readonly retention: string
        readonly audit_log: string
        readonly warning_presets: string
      }
      readonly any: string
      readonly parts: string
      readonly yes: string
      readonly no: string
      readonly save: string
      readonly categories: {
        readonly spam: string
        readonly legal: string
        readonly violation: string
        readonly other: string
      }
      readonly did: {
        readonly saved: string
        readonly noted: string
        readonly resolve: Say<{ id: string | number }>
        readonly reopen: Say<{ id: string | number }>
        readonly assign: Say<{ id: string | number }>
        readonly unassign: Say<{ id: string | number }>
        readonly decide: Say<{ decision: string | number }>
      }
      readonly reports: {
        readonly about: string
        readonly why: string
        readonly by: string
        readonly at: string
        readonly state: string
        readonly none: string
        readonly noneResolved: string
        readonly waiting: string
        readonly resolved: string
        readonly assignee: string
        readonly me: string
        readonly nobody: string
        readonly name: Say<{ id: string | number; name: string | number }>
        readonly posts: Say<{ count: number }>
        readonly open: string
        readonly settled: string
        readonly settledBy: Say<{ name: string | number }>
        readonly assignedTo: Say<{ name: string | number }>
        readonly didResolve: Say<{ count: number }>
        readonly didReopen: Say<{ count: number }>
      }
      readonly report: {
        readonly name: Say<{ id: string | number }>
        readonly title: string
        readonly target: string
        readonly says: string
        readonly rules: string
        readonly forwarded: string
        readonly notes: string
        readonly decide: string
        readonly resolve: string
        readonly reopen: string
        readonly assign: string
        readonly unassign: string
        readonly posts: string
        readonly noPosts: string
        readonly reported: string
        readonly thread: string
        readonly others: string
        readonly earlier: string
        readonly nowSettled: Say<{ name: string | number }>
        readonly nowAssigned: Say<{ name: string | number }>
        readonly nowChanged: string
      }
      readonly notes: {
        readonly none: string
        readonly text: string
        readonly hint: string
        readonly write: string
        readonly remove: string
        readonly removed: string
        readonly gone: string
      }
      readonly decisions: {
        readonly none: {
          readonly name: string
          readonly act: string
          readonly does: string
        }
        readonly mark_statuses_as_sensitive: {
          readonly name: string
          readonly act: string
          readonly does: string
        }
        readonly delete_statuses: {
          readonly name: string
          readonly act: string
          readonly does: string
        }
        readonly sensitive: {
          readonly name: string
          readonly act: string
          readonly does: string
        }
        readonly silence: {
          readonly name: string
          readonly act: string
          readonly does: string
        }
        readonly disable: {
          readonly name: string
          readonly act: string
          readonly does: string
        }
        readonly suspend: {
          readonly name: string
          readonly act: string
          readonly does: string
        }
      }
      readonly decide: {
        readonly text: string
        readonly textHint: string
        readonly textHintRemote: string
        readonly preset: string
        readonly noPreset: string
        readonly presets: string
        readonly mail: string
        readonly preview: string
        readonly reads: string
        readonly notTold: string
        readonly appeal: string
        readonly ends: string
        readonly noEnd: string
        readonly hours: Say<{ count: number }>
        readonly days: Say<{ count: number }>
        readonly posts: string
      }
      readonly accounts: {
        readonly name: string
        readonly state: string
        readonly email: string
        readonly ip: string
        readonly reason: string
        readonly none: string
        readonly origin: string
        readonly local: string
        readonly remote: string
        readonly all: string
        readonly username: string
        readonly displayName: string
        readonly domain: string
        readonly role: string
        readonly work: string
        readonly staff: string
        readonly unconfirmed: string
        readonly memorial: string
        readonly states: {
          readonly active: string
          readonly pending: string
          readonly disabled: string
          readonly silenced: string
          readonly suspended: string
          readonly sensitized: string
        }
      }
      readonly account: {
        readonly profile: string
        readonly joined: string
        readonly posts: string
        readonly followers: string
        readonly following: string
        readonly open: string
        readonly facts: string
        readonly lastPost: string
        readonly newEmail: string
        readonly confirmed: string
        readonly lastActive: string
        readonly language: string
        readonly factor: string
        readonly application: string
        readonly website: string
        readonly inviter: string
        readonly deletionDue: string
        readonly limitEnds: Say<{ limit: string | number }>
        readonly addresses: string
        readonly noAddresses: string
        readonly sessions: string
        readonly noSessions: string
        readonly unknownBrowser: string
        readonly strikes: string
        readonly noStrikes: string
        readonly notes: string
        readonly reportsWaiting: string
        readonly reportsSettled: string
        readonly reportsMade: string
        readonly reportsMadeSettled: string
        readonly noReports: string
        readonly noPosts: string
        readonly allPosts: string
        readonly media: string
        readonly noRole: string
        readonly approved: Say<{ name: string | number }>
        readonly lift: {
          readonly sensitive: string
          readonly disable: string
          readonly silence: string
          readonly suspend: string
        }
        readonly lifted: {
          readonly sensitive: string
          readonly disable: string
          readonly silence: string
          readonly suspend: string
        }
        readonly steps: {
          readonly reject: {
            readonly name: string
            readonly means: string
            readonly done: Say<{ name: string | number }>
          }
          readonly disable_2fa: {
            readonly name: string
            readonly means: string
            readonly done: Say<{ name: string | number }>
          }
          readonly memorialize: {
            readonly name: string
            readonly means: string
            readonly done: Say<{ name: string | number }>
          }
          readonly unmemorialize: {
            readonly name: string
            readonly means: string
            readonly done: Say<{ name: string | number }>
          }
          readonly delete: {
            readonly name: string
            readonly means: string
            readonly done: Say<{ name: string | number }>
          }
        }
      }
      readonly bulk: {
        readonly above: string
        readonly same: string
        readonly count: Say<{ all: string | number; count: string | number }>
        readonly refused: Say<{ count: number }>
        readonly actions: {
          readonly approve: string
          readonly reject: string
          readonly silence: string
          readonly suspend: string
          readonly unsilence: string
          readonly unsuspend: string
        }
        readonly outcomes: {
          readonly approve: string
          readonly reject: string
          readonly silence: string
          readonly suspend: string
          readonly unsilence: string
          readonly unsuspend: string
        }
        readonly consequences: {
          readonly approve: string
          readonly reject: string
          readonly silence: string
          readonly suspend: string
          readonly unsilence: string
          readonly unsuspend: string
        }
        readonly did: {
          readonly approve: Say<{ count: number }>
          readonly reject: Say<{ count: number }>
          readonly silence: Say<{ count: number }>
          readonly suspend: Say<{ count: number }>
          readonly unsilence: Say<{ count: number }>
          readonly unsuspend: Say<{ count: number }>
        }
      }
      readonly appeals: {
        readonly none: string
        readonly says: string
        readonly decision: string
        readonly decidedBy: Say<{ name: string | number }>
        readonly decidedByRule: string
        readonly hint: string
        readonly approve: string
        readonly reject: string
        readonly overruled: string
        readonly states: {
          readonly pending: string
          readonly approved: string
          readonly rejected: string
        }
        readonly did: {
          readonly approve: string
          readonly reject: string
        }
      }
      readonly heldPosts: {
        readonly hint: string
        readonly by: string
        readonly text: string
        readonly rule: string
        readonly none: string
        readonly gone: string
        readonly name: Say<{ name: string | number }>
        readonly original: string
        readonly noRule: string
        readonly rejectMeans: string
        readonly count: Say<{ count: number }>
        readonly refused: Say<{ count: number }>
        readonly actions: {
          readonly release: string
          readonly reject: string
        }
        readonly did: {
          readonly release: Say<{ count: number }>
          readonly reject: Say<{ count: number }>
        }
      }
      readonly trends: {
        readonly hint: string
        readonly kinds: {
          readonly tags: string
          readonly links: string
          readonly statuses: string
          readonly publishers: string
        }
        readonly tag: string
        readonly link: string
        readonly publisher: string
        readonly author: string
        readonly post: string
        readonly state: string
        readonly usedBy: string
        readonly boosts: string
        readonly reviewed: string
        readonly none: string
        readonly open: string
        readonly waits: string
        readonly decided: string
        readonly approved: string
        readonly rejected: string
        readonly approve: string
        readonly reject: string
        readonly didApprove: Say<{ count: number }>
        readonly didReject: Say<{ count: number }>
      }
      readonly tag: {
        readonly spelling: string
        readonly spellingHint: string
        readonly usable: string
        readonly listable: string
        readonly trendable: string
        readonly today: string
        readonly uses: Say<{ people: string | number; uses: string | number }>
        readonly open: string
      }
      readonly audit: {
        readonly by: string
        readonly action: string
        readonly type: string
        readonly number: string
        readonly target: string
        readonly details: string
        readonly none: string
        readonly export: string
        readonly actors: {
          readonly staff: string
          readonly operator: string
          readonly server: string
        }
      }
      readonly dashboard: {
        readonly waits: string
        readonly nothingWaits: string
        readonly waiting: {
          readonly reports: Say<{ count: number }>
          readonly appeals: Say<{ count: number }>
          readonly sign_ups: Say<{ count: number }>
          readonly held_posts: Say<{ count: number }>
          readonly trends: Say<{ count: number }>
        }
        readonly spans: {
          readonly week: string
          readonly month: string
          readonly quarter: string
        }
        readonly numbers: string
        readonly day: string
        readonly before: Say<{ count: string | number }>
        readonly measures: {
          readonly active_users: string
          readonly new_users: string
          readonly interactions: string
          readonly opened_reports: string
          readonly resolved_reports: string
        }
        readonly shares: {
          readonly sources: string
          readonly languages: string
          readonly servers: string
          readonly space_usage: string
          readonly software_versions: string
        }
        readonly noNumbers: string
        readonly retention: string
        readonly retentionHint: string
        readonly month: string
        readonly people: string
        readonly monthsLater: Say<{ count: number }>
        readonly queues: string
        readonly events: string
        readonly oldest: string
        readonly seconds: Say<{ count: number }>
        readonly jobs: string
        readonly jobsLater: string
        readonly jobsRunning: string
        readonly failed: string
        readonly disk: string
        readonly free: string
        readonly whole: string
        readonly findings: string
        readonly notLooked: string
        readonly lookedAt: string
        readonly look: string
        readonly findingStates: {
          readonly ok: string
          readonly warning: string
          readonly problem: string
        }
      }
      readonly noneTicked: string
      readonly filters: string
      readonly presets: {
        readonly title: string
        readonly titleHint: string
        readonly text: string
        readonly none: string
        readonly hint: string
        readonly add: string
        readonly remove: string
        readonly removeMeans: string
        readonly removed: string
      }
    }
    readonly setUp: {
      readonly title: string
      readonly hint: Say<{ domain: string | number }>
      readonly wantsLink: string
      readonly server: string
      readonly name: string
      readonly nameHint: string
      readonly description: string
      readonly descriptionHint: string
      readonly door: string
      readonly registrations: string
      readonly modes: {
        readonly approved: {
          readonly label: string
          readonly hint: string
        }
        readonly none: {
          readonly label: string
          readonly hint: string
        }
        readonly open: {
          readonly label: string
          readonly hint: string
        }
      }
      readonly rules: string
      readonly rulesLabel: string
      readonly rulesHint: string
      readonly ruleTooLong: Say<{ max: string | number }>
      readonly rulesExample: string
      readonly owner: string
      readonly ownerHint: string
      readonly mailGoes: Say<{ host: string | number }>
      readonly mailStays: string
      readonly submit: string
      readonly done: string
      readonly doneHint: Say<{ handle: string | number }>
      readonly testMail: string
      readonly testSubject: string
      readonly testText: Say<{ domain: string | number }>
      readonly mailSent: Say<{ email: string | number }>
      readonly mailFailed: string
      readonly secure: string
      readonly toFactor: string
      readonly introduce: string
      readonly toWelcome: string
      readonly decide: string
      readonly toDesk: string
      readonly firstPost: string
    }
    readonly desk: {
      readonly common: {
        readonly add: string
        readonly save: string
        readonly saved: string
        readonly remove: string
        readonly removeTitle: Say<{ name: string | number }>
        readonly removed: Say<{ name: string | number }>
        readonly doneToMany: Say<{ count: number; what: string | number }>
      }
      readonly ipBlocks: {
        readonly hint: string
        readonly add: string
        readonly ip: string
        readonly ipHint: string
        readonly severity: string
        readonly severities: {
          readonly sign_up_requires_approval: string
          readonly sign_up_block: string
          readonly no_access: string
        }
        readonly lasts: string
        readonly asItIs: string
        readonly forGood: string
        readonly days: Say<{ count: number }>
        readonly comment: string
        readonly until: string
        readonly over: string
        readonly none: string
        readonly removal: string
      }
      readonly usernameBlocks: {
        readonly hint: string
        readonly add: string
        readonly username: string
        readonly usernameHint: string
        readonly comparison: string
        readonly comparisons: {
          readonly equals: string
          readonly contains: string
        }
        readonly approval: string
        readonly never: string
        readonly effect: string
        readonly none: string
        readonly removal: string
      }
      readonly emailDomainBlocks: {
        readonly hint: string
        readonly add: string
        readonly domain: string
        readonly domainHint: string
        readonly others: string
        readonly othersHint: string
        readonly withMailHosts: string
        readonly approval: string
        readonly never: string
        readonly effect: string
        readonly tries: string
        readonly toCanonical: string
        readonly none: string
        readonly removal: string
      }
      readonly canonicalEmailBlocks: {
        readonly title: string
        readonly hint: string
        readonly add: string
        readonly email: string
        readonly test: string
        readonly testEmail: string
        readonly added: string
        readonly isBlocked: Say<{ email: string | number }>
        readonly isFree: Say<{ email: string | number }>
        readonly hash: string
        readonly because: string
        readonly byStaff: string
        readonly bySuspension: string
        readonly none: string
        readonly removal: string
      }
      readonly invites: {
        readonly hint: string
        readonly add: string
        readonly maxUses: string
        readonly maxUsesHint: string
        readonly lasts: string
        readonly days: Say<{ count: number }>
        readonly forGood: string
        readonly autofollow: string
        readonly comment: string
        readonly made: Say<{ url: string | number }>
        readonly link: string
        readonly by: string
        readonly uses: string
        readonly until: string
        readonly over: string
        readonly usable: string
        readonly all: string
        readonly state: string
        readonly none: string
        readonly toOwn: string
        readonly end: string
        readonly ending: string
        readonly endAll: string
        readonly endingAll: string
        readonly ended: Say<{ count: number }>
      }
      readonly hosts: {
        readonly hint: string
        readonly query: string
        readonly all: string
        readonly none: string
        readonly domain: string
        readonly health: string
        readonly healths: {
          readonly well: string
          readonly failing: string
          readonly given_up: string
          readonly stopped: string
        }
        readonly severities: {
          readonly noop: string
          readonly silence: string
          readonly suspend: string
        }
        readonly allowed: string
        readonly limits: string
        readonly lastError: string
        readonly lastErrorAt: string
        readonly firstSeen: string
        readonly accounts: string
        readonly statuses: string
        readonly media: string
        readonly megabytes: Say<{ count: number }>
        readonly reports: string
        readonly follows: string
        readonly followers: string
        readonly software: string
        readonly visit: Say<{ domain: string | number }>
        readonly known: string
        readonly deliveries: string
        readonly history: Say<{ days: string | number }>
        readonly day: string
        readonly unlimited: string
        readonly block: string
        readonly changeBlock: string
        readonly severity: string
        readonly severityHint: string
        readonly rejectMedia: string
        readonly rejectReports: string
        readonly obfuscate: string
        readonly privateComment: string
        readonly publicComment: string
        readonly publicHint: string
        readonly yes: string
        readonly since: string
        readonly waiting: string
        readonly failures: string
        readonly heldUntil: string
        readonly tryNow: string
        readonly restart: string
        readonly stop: string
        readonly tried: string
        readonly restarted: string
        readonly stopped: string
        readonly stopTitle: Say<{ domain: string | number }>
        readonly stopping: string
        readonly dropping: Say<{ count: number }>
        readonly next: Say<{ count: number }>
        readonly activity: string
        readonly sender: string
        readonly server: string
        readonly inbox: string
        readonly attempts: string
        readonly nextTry: string
        readonly purge: string
        readonly purgeTitle: Say<{ domain: string | number }>
        readonly purgeHint: string
        readonly purgesAccounts: Say<{ count: number }>
        readonly purgesEmojis: Say<{ count: number }>
        readonly purged: Say<{ domain: string | number }>
        readonly listed: string
        readonly now: string
        readonly excluded: string
        readonly fresh: string
        readonly noneListed: string
      }
      readonly domainBlocks: {
        readonly hint: string
        readonly add: string
        readonly domainHint: string
        readonly removal: string
        readonly followsStay: string
        readonly previewTitle: Say<{ domain: string | number }>
        readonly does: {
          readonly noop: string
          readonly silence: string
          readonly suspend: string
        }
        readonly knownOf: Say<{ accounts: string | number }>
        readonly tied: Say<{ followers: string | number; follows: string | number }>
        readonly endsFollows: string
        readonly deletesMedia: string
        readonly isNow: Say<{ severity: string | number }>
        readonly also: string
        readonly why: string
        readonly none: string
        readonly set: {
          readonly silence: string
          readonly suspend: string
        }
        readonly limitedFederation: string
        readonly toAllows: string
        readonly importList: string
        readonly exportList: string
      }
      readonly domainAllows: {
        readonly title: string
        readonly hint: string
        readonly unlimited: string
        readonly add: string
        readonly domainHint: string
        readonly none: string
        readonly removal: string
        readonly removalUnlimited: string
        readonly importList: string
        readonly exportList: string
      }
      readonly listFiles: {
        readonly file: string
        readonly text: string
        readonly textHint: string
        readonly look: string
        readonly blocksTitle: string
        readonly blocksHint: string
        readonly previewTitle: string
        readonly found: Say<{ count: number; skipped: number }>
        readonly skipped: string
        readonly line: Say<{ line: string | number }>
        readonly first: Say<{ count: string | number }>
        readonly again: string
        readonly overwrite: string
        readonly overwriteHint: string
        readonly take: Say<{ count: number }>
        readonly taken: Say<{ created: string | number; updated: string | number }>
        readonly rest: Say<{ skipped: string | number; unchanged: string | number }>
        readonly allowsTitle: string
        readonly allowsHint: string
        readonly allow: string
        readonly allowed: Say<{ count: number }>
      }
      readonly relays: {
        readonly hint: string
        readonly add: string
        readonly url: string
        readonly urlHint: string
        readonly asked: string
        readonly left: string
        readonly removal: string
        readonly state: string
        readonly states: {
          readonly idle: string
          readonly pending: string
          readonly accepted: string
          readonly rejected: string
        }
        readonly disable: string
        readonly enable: string
        readonly actions: string
        readonly none: string
      }
      readonly blockLists: {
        readonly hint: string
        readonly add: string
        readonly url: string
        readonly urlHint: string
        readonly title: string
        readonly most: string
        readonly applied: string
        readonly appliedHint: string
        readonly retract: string
        readonly subscribed: string
        readonly removal: string
        readonly keep: string
        readonly exclusions: string
        readonly exclusionsHint: string
        readonly state: string
        readonly entries: string
        readonly fetched: string
        readonly tried: string
        readonly problem: string
        readonly isApplied: string
        readonly isShown: string
        readonly never: string
        readonly failed: string
        readonly none: string
        readonly refresh: string
        readonly force: string
        readonly refreshed: string
        readonly notRefreshed: Say<{ problem: string | number }>
        readonly differences: string
        readonly all: string
        readonly comment: string
        readonly actions: string
        readonly exclude: string
        readonly include: string
        readonly noExclusions: string
        readonly excluded: Say<{ domain: string | number }>
      }
      readonly rules: {
        readonly hint: string
        readonly add: string
        readonly text: string
        readonly more: string
        readonly moreHint: string
        readonly translation: Say<{ number: string | number }>
        readonly language: string
        readonly languageHint: string
        readonly languages: string
        readonly order: string
        readonly up: string
        readonly down: string
        readonly moved: string
        readonly none: string
        readonly removal: string
      }
      readonly announcements: {
        readonly hint: string
        readonly add: string
        readonly text: string
        readonly textHint: string
        readonly starts: string
        readonly ends: string
        readonly timesHint: string
        readonly allDay: string
        readonly scheduled: string
        readonly scheduledHint: string
        readonly published: string
        readonly removal: string
        readonly seen: string
        readonly state: string
        readonly isPublished: string
        readonly isScheduled: string
        readonly isDraft: string
        readonly none: string
        readonly publish: string
        readonly unpublish: string
        readonly publishing: string
        readonly unpublishing: string
      }
      readonly terms: {
        readonly hint: string
        readonly add: string
        readonly version: Say<{ day: string | number }>
        readonly text: string
        readonly textHint: string
        readonly changelog: string
        readonly changelogHint: string
        readonly day: string
        readonly state: string
        readonly draft: string
        readonly publish: string
        readonly publishHint: string
        readonly publishTitle: Say<{ day: string | number }>
        readonly publishing: Say<{ day: string | number }>
        readonly final: string
        readonly notifyAll: string
        readonly isPublished: string
        readonly published: string
        readonly notified: string
        readonly notify: string
        readonly notifyHint: string
        readonly notifying: string
        readonly preview: string
        readonly removal: string
        readonly none: string
      }
      readonly roles: {
        readonly hint: string
        readonly add: string
        readonly everyone: string
        readonly name: string
        readonly position: string
        readonly positionHint: Say<{ max: string | number }>
        readonly highlighted: string
        readonly hasColor: string
        readonly color: string
        readonly secondFactor: string
        readonly secondFactorHint: string
        readonly collections: string
        readonly permissions: string
        readonly more: string
        readonly isShown: string
        readonly isSecured: string
        readonly removal: string
        readonly allows: {
          readonly administrator: string
          readonly view_devops: string
          readonly view_audit_log: string
          readonly view_dashboard: string
          readonly manage_reports: string
          readonly manage_federation: string
          readonly manage_settings: string
          readonly manage_blocks: string
          readonly manage_taxonomies: string
          readonly manage_appeals: string
          readonly manage_users: string
          readonly manage_invites: string
          readonly manage_rules: string
          readonly manage_announcements: string
          readonly manage_custom_emojis: string
          readonly manage_webhooks: string
          readonly invite_users: string
          readonly manage_roles: string
          readonly manage_user_access: string
          readonly delete_user_data: string
          readonly view_feeds: string
          readonly invite_bypass_approval: string
          readonly manage_email_subscriptions: string
        }
      }
      readonly webhooks: {
        readonly hint: string
        readonly add: string
        readonly url: string
        readonly events: string
        readonly happens: {
          readonly 'account.approved': string
          readonly 'account.created': string
          readonly 'account.updated': string
          readonly 'report.created': string
          readonly 'report.updated': string
          readonly 'status.created': string
          readonly 'status.updated': string
        }
        readonly state: string
        readonly off: string
        readonly failing: string
        readonly untried: string
        readonly works: string
        readonly secret: string
        readonly secretHint: string
        readonly test: string
        readonly enable: string
        readonly disable: string
        readonly rotate: string
        readonly removal: string
        readonly deliveries: string
        readonly arrived: string
        readonly event: string
        readonly outcome: string
        readonly when: string
        readonly noDeliveries: string
        readonly none: string
        readonly tested: Say<{ status: string | number }>
        readonly notTested: Say<{ problem: string | number }>
        readonly isOn: string
        readonly isOff: string
        readonly rotated: string
      }
      readonly customEmojis: {
        readonly hint: string
        readonly add: string
        readonly shortcode: string
        readonly shortcodeHint: string
        readonly image: string
        readonly newImage: string
        readonly imageHint: string
        readonly category: string
        readonly listed: string
        readonly disabled: string
        readonly copy: string
        readonly copied: string
        readonly state: string
        readonly isDisabled: string
        readonly isUnlisted: string
        readonly none: string
        readonly origin: string
        readonly local: string
        readonly remote: string
        readonly domain: string
        readonly all: string
        readonly enable: string
        readonly disable: string
        readonly enabling: string
        readonly disabling: string
        readonly list: string
        readonly unlist: string
        readonly listing: string
        readonly unlisting: string
        readonly categorise: string
        readonly categorising: string
        readonly copying: string
        readonly removal: string
      }
      readonly settings: {
        readonly parts: string
        readonly names: {
          readonly branding: string
          readonly about: string
          readonly registrations: string
          readonly discovery: string
          readonly posts: string
          readonly appearance: string
        }
        readonly words: {
          readonly open: string
          readonly approved: string
          readonly none: string
          readonly about: string
          readonly trends: string
          readonly local_feed: string
          readonly disabled: string
          readonly users: string
          readonly all: string
          readonly public: string
          readonly authenticated: string
        }
        readonly uploads: {
          readonly thumbnail: string
          readonly app_icon: string
          readonly favicon: string
        }
        readonly noUpload: string
        readonly file: string
        readonly fileHint: string
        readonly upload: string
        readonly removeUpload: string
        readonly uploadRemoved: string
        readonly keys: {
          readonly site_title: {
            readonly label: string
          }
          readonly site_short_description: {
            readonly label: string
            readonly hint: string
          }
          readonly site_extended_description: {
            readonly label: string
            readonly hint: string
          }
          readonly site_contact_username: {
            readonly label: string
          }
          readonly site_contact_email: {
            readonly label: string
          }
          readonly status_page_url: {
            readonly label: string
          }
          readonly site_terms: {
            readonly label: string
            readonly hint: string
          }
          readonly show_domain_blocks: {
            readonly label: string
          }
          readonly show_domain_blocks_rationale: {
            readonly label: string
          }
          readonly registrations_mode: {
            readonly label: string
          }
          readonly closed_registrations_message: {
            readonly label: string
          }
          readonly require_invite_text: {
            readonly label: string
          }
          readonly registrations_need_staff: {
            readonly label: string
          }
          readonly sign_ups_per_day: {
            readonly label: string
            readonly hint: string
          }
          readonly min_age: {
            readonly label: string
            readonly hint: string
          }
          readonly greylist_minutes: {
            readonly label: string
            readonly hint: string
          }
          readonly bootstrap_timeline_accounts: {
            readonly label: string
            readonly hint: string
          }
          readonly trends: {
            readonly label: string
          }
          readonly trendable_by_default: {
            readonly label: string
          }
          readonly profile_directory: {
            readonly label: string
          }
          readonly landing_page: {
            readonly label: string
          }
          readonly local_live_feed_access: {
            readonly label: string
          }
          readonly remote_live_feed_access: {
            readonly label: string
          }
          readonly local_topic_feed_access: {
            readonly label: string
          }
          readonly remote_topic_feed_access: {
            readonly label: string
          }
          readonly peers_api_enabled: {
            readonly label: string
          }
          readonly activity_api_enabled: {
            readonly label: string
          }
          readonly noindex: {
            readonly label: string
          }
          readonly emoji_reactions: {
            readonly label: string
          }
          readonly local_only_statuses: {
            readonly label: string
          }
          readonly markdown_statuses: {
            readonly label: string
          }
          readonly wrapstodon: {
            readonly label: string
          }
          readonly custom_css: {
            readonly label: string
            readonly hint: string
          }
        }
      }
      readonly spamRules: {
        readonly hint: string
        readonly add: string
        readonly name: string
        readonly enabled: string
        readonly action: string
        readonly actions: {
          readonly report: string
          readonly limit: string
          readonly hold: string
          readonly reject: string
        }
        readonly conditions: string
        readonly conditionsHint: string
        readonly hours: Say<{ max: string | number }>
        readonly oneALine: string
        readonly either: string
        readonly yes: string
        readonly no: string
        readonly origins: {
          readonly local: string
          readonly remote: string
        }
        readonly visibilities: {
          readonly public: string
          readonly unlisted: string
          readonly private: string
          readonly direct: string
        }
        readonly asked: {
          readonly origin: string
          readonly keywords: string
          readonly link_domains: string
          readonly media_hashes: string
          readonly account_age_hours_below: string
          readonly host_age_hours_below: string
          readonly followers_below: string
          readonly statuses_below: string
          readonly mentions_at_least: string
          readonly strangers_mentioned_at_least: string
          readonly links_at_least: string
          readonly posts_per_hour_at_least: string
          readonly reply: string
          readonly no_avatar: string
          readonly visibilities: string
        }
        readonly state: string
        readonly on: string
        readonly off: string
        readonly hits: string
        readonly lastHit: string
        readonly none: string
        readonly matched: string
        readonly who: string
        readonly post: string
        readonly open: string
        readonly undone: string
        readonly noHits: string
        readonly removal: string
        readonly undo: string
        readonly undoTitle: Say<{ name: string | number }>
        readonly undoing: string
        readonly undoingKeeps: string
        readonly undoneHits: Say<{ count: number }>
        readonly thereIsMore: string
        readonly tried: string
        readonly would: Say<{ count: string | number; examined: string | number }>
        readonly truncated: string
        readonly try: string
      }
      readonly jobs: {
        readonly here: string
        readonly between: string
        readonly eventsWaiting: string
        readonly oldestEvent: string
        readonly jobsWaiting: string
        readonly jobsRunning: string
        readonly jobsScheduled: string
        readonly incomingWaiting: string
        readonly deliveriesDue: string
        readonly deliveriesLater: string
        readonly hostsHeld: string
        readonly hostsGivenUp: string
        readonly toFailing: string
        readonly givenUp: string
        readonly givenUpHint: string
        readonly queued: string
        readonly work: string
        readonly error: string
        readonly attempts: string
        readonly since: string
        readonly next: string
        readonly none: string
        readonly noneQueued: string
        readonly retry: string
        readonly retrying: string
        readonly discard: string
        readonly discarding: string
      }
      readonly retention: {
        readonly hint: string
        readonly forecast: string
        readonly what: string
        readonly wouldGo: string
        readonly atMost: Say<{ count: string | number }>
        readonly size: string
        readonly nothingGoes: string
        readonly copies: string
        readonly files: string
        readonly budget: string
        readonly noBudget: string
        readonly periods: string
        readonly look: string
        readonly notSaved: string
        readonly work: string
        readonly state: string
        readonly states: {
          readonly idle: string
          readonly running: string
          readonly waiting: string
          readonly paused: string
        }
        readonly removed: string
        readonly finished: string
        readonly actions: string
        readonly pause: string
        readonly resume: string
        readonly paused: string
        readonly resumed: string
        readonly keys: {
          readonly content_cache_retention_period: {
            readonly label: string
            readonly hint: string
            readonly goes: string
          }
          readonly media_cache_retention_period: {
            readonly label: string
            readonly hint: string
            readonly goes: string
          }
          readonly media_cache_budget_gb: {
            readonly label: string
            readonly hint: string
            readonly goes: string
          }
          readonly notification_retention_days: {
            readonly label: string
            readonly hint: string
            readonly goes: string
          }
          readonly backups_retention_period: {
            readonly label: string
            readonly hint: string
            readonly goes: string
          }
          readonly ip_retention_period: {
            readonly label: string
            readonly hint: string
            readonly goes: string
          }
          readonly audit_log_retention_period: {
            readonly label: string
            readonly hint: string
            readonly goes: string
          }
        }
      }
      readonly recommendations: {
        readonly title: string
        readonly hint: string
        readonly recommended: string
        readonly suppressed: string
        readonly account: string
        readonly followers: string
        readonly fans: string
        readonly none: string
        readonly noneSuppressed: string
        readonly suppress: string
        readonly suppressMeans: string
        readonly unsuppress: string
        readonly unsuppressMeans: string
      }
    }
    readonly identities: {
      readonly title: string
      readonly signInBy: Say<{ provider: string | number }>
      readonly goTitle: Say<{ provider: string | number }>
      readonly go: Say<{ provider: string | number }>
      readonly leftTitle: string
      readonly leave: Say<{ provider: string | number }>
      readonly failedTitle: string
      readonly again: string
      readonly stale: string
      readonly newHint: Say<{ provider: string | number }>
      readonly email: Say<{ email: string | number }>
      readonly haveOne: string
      readonly connect: string
      readonly connectTo: Say<{ provider: string | number }>
      readonly unknown: Say<{ provider: string | number }>
      readonly hint: string
      readonly none: string
      readonly remove: string
      readonly passwordHint: string
      readonly setPassword: string
    }
    readonly robots: {
      readonly title: string
      readonly hint: string
      readonly working: string
      readonly without: string
      readonly withoutHint: string
      readonly goOn: string
      readonly wrong: string
    }
    readonly welcome: {
      readonly step: Say<{ all: string | number; number: string | number }>
      readonly next: string
      readonly skip: string
      readonly end: string
      readonly profile: {
        readonly title: string
        readonly hint: string
      }
      readonly noteHint: string
      readonly topics: {
        readonly title: string
        readonly hint: string
      }
      readonly moreTopics: string
      readonly moreTopicsHint: string
      readonly people: {
        readonly title: string
        readonly hint: string
      }
      readonly nobody: string
      readonly explore: string
      readonly follow: string
    }
    readonly shortcuts: {
      readonly keys: {
        readonly back: string
        readonly blocks: string
        readonly bookmark: string
        readonly bookmarks: string
        readonly boost: string
        readonly column: string
        readonly direct: string
        readonly down: string
        readonly explore: string
        readonly favourite: string
        readonly favourites: string
        readonly federated: string
        readonly followRequests: string
        readonly help: string
        readonly home: string
        readonly leave: string
        readonly local: string
        readonly mention: string
        readonly missing: string
        readonly mutes: string
        readonly newPost: string
        readonly newPosts: string
        readonly notifications: string
        readonly open: string
        readonly openMedia: string
        readonly ownProfile: string
        readonly profile: string
        readonly quote: string
        readonly reply: string
        readonly search: string
        readonly showHidden: string
        readonly showMedia: string
        readonly translate: string
        readonly up: string
        readonly warning: string
      }
      readonly note: string
      readonly title: string
    }
  }
  readonly privacyPolicy: {
    readonly keptTitle: string
    readonly keptAccount: string
    readonly keptPosts: string
    readonly seenTitle: string
    readonly seenPublic: string
    readonly seenOthers: string
    readonly durationTitle: string
    readonly duration: string
    readonly neverTitle: string
    readonly never: string
  }
  readonly mails: {
    readonly greeting: Say<{ username: string | number }>
    readonly footer: Say<{ site: string | number }>
    readonly stop: string
    readonly settings: string
    readonly contentWarning: string
    readonly notMe: string
    readonly theySay: string
    readonly confirmation: {
      readonly subject: Say<{ server: string | number }>
      readonly subjectChanging: Say<{ server: string | number }>
      readonly made: Say<{ server: string | number; username: string | number }>
      readonly changing: Say<{ server: string | number; username: string | number }>
      readonly link: string
      readonly after: string
    }
    readonly reset: {
      readonly subject: Say<{ server: string | number }>
      readonly asked: Say<{ server: string | number; username: string | number }>
      readonly link: string
      readonly after: string
    }
    readonly emailChanged: {
      readonly subjectDone: Say<{ server: string | number }>
      readonly subjectAsked: Say<{ server: string | number }>
      readonly done: Say<{ email: string | number; server: string | number; username: string | number }>
      readonly asked: Say<{ email: string | number; server: string | number; username: string | number }>
    }
    readonly passwordChanged: {
      readonly subject: Say<{ server: string | number }>
      readonly changed: Say<{ server: string | number; username: string | number }>
      readonly link: string
    }
    readonly signUpWaiting: {
      readonly subject: Say<{ server: string | number; username: string | number }>
      readonly waits: Say<{ email: string | number; server: string | number; username: string | number }>
      readonly reason: Say<{ reason: string | number }>
      readonly after: Say<{ username: string | number }>
    }
    readonly report: {
      readonly subject: Say<{ server: string | number; target: string | number }>
      readonly told: Say<{ category: string | number; reporter: string | number; target: string | number }>
      readonly somebody: string
      readonly comment: Say<{ comment: string | number }>
      readonly posts: Say<{ count: string | number }>
      readonly after: string
      readonly categories: {
        readonly spam: string
        readonly legal: string
        readonly violation: string
        readonly other: string
      }
    }
    readonly approved: {
      readonly subject: Say<{ server: string | number }>
      readonly approved: Say<{ server: string | number; username: string | number }>
      readonly link: string
    }
    readonly approvalRequired: {
      readonly subject: Say<{ server: string | number }>
      readonly why: Say<{ server: string | number }>
      readonly reopen: string
      readonly goesTo: Say<{ server: string | number; username: string | number }>
    }
    readonly scheduledStatusRefused: {
      readonly subject: Say<{ server: string | number }>
      readonly refused: Say<{ reason: string | number; time: string | number; username: string | number }>
      readonly after: string
    }
    readonly archiveReady: {
      readonly subject: Say<{ server: string | number }>
      readonly ready: Say<{ server: string | number; username: string | number }>
      readonly link: string
      readonly onlyYou: string
      readonly deletedAfter: Say<{ days: number }>
    }
    readonly terms: {
      readonly subject: Say<{ server: string | number }>
      readonly inForce: Say<{ day: string | number; server: string | number; username: string | number }>
      readonly coming: Say<{ day: string | number; server: string | number; username: string | number }>
      readonly changes: string
      readonly link: string
      readonly after: Say<{ server: string | number }>
    }
    readonly welcome: {
      readonly subject: Say<{ server: string | number }>
      readonly yours: Say<{ server: string | number; username: string | number }>
      readonly begin: string
      readonly link: string
    }
    readonly newSignIn: {
      readonly subject: Say<{ server: string | number }>
      readonly signedIn: Say<{ server: string | number; username: string | number }>
      readonly time: string
      readonly address: string
      readonly browser: string
      readonly browserOn: Say<{ browser: string | number; system: string | number }>
      readonly unknown: string
      readonly whatToDo: string
      readonly link: string
    }
    readonly secondFactor: {
      readonly subject: Say<{ change: string | number; server: string | number; username: string | number }>
      readonly link: string
      readonly changes: {
        readonly 'otp-added': {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly 'otp-removed': {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly 'passkey-added': {
          readonly subject: string
          readonly told: Say<{ passkey: string | number; server: string | number; username: string | number }>
        }
        readonly 'passkey-removed': {
          readonly subject: string
          readonly told: Say<{ passkey: string | number; server: string | number; username: string | number }>
        }
        readonly 'recovery-codes-renewed': {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly 'recovery-code-used': {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly 'codes-guessed': {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly 'all-removed': {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
      }
    }
    readonly warning: {
      readonly subject: Say<{ decision: string | number; server: string | number; username: string | number }>
      readonly posts: Say<{ count: string | number }>
      readonly link: string
      readonly after: Say<{ day: string | number }>
      readonly decisions: {
        readonly none: {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly disable: {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly mark_statuses_as_sensitive: {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly delete_statuses: {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly sensitive: {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly silence: {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly suspend: {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
        readonly unknown: {
          readonly subject: string
          readonly told: Say<{ server: string | number; username: string | number }>
        }
      }
    }
    readonly appeal: {
      readonly subject: Say<{ server: string | number; username: string | number }>
      readonly objects: Say<{ day: string | number; decision: string | number; username: string | number }>
      readonly decisions: {
        readonly none: string
        readonly disable: string
        readonly mark_statuses_as_sensitive: string
        readonly delete_statuses: string
        readonly sensitive: string
        readonly silence: string
        readonly suspend: string
      }
    }
    readonly appealAnswered: {
      readonly subjectApproved: Say<{ server: string | number }>
      readonly subjectRejected: Say<{ server: string | number }>
      readonly approved: Say<{ day: string | number; server: string | number; username: string | number }>
      readonly rejected: Say<{ day: string | number; server: string | number; username: string | number }>
    }
    readonly notification: {
      readonly mention: {
        readonly subject: Say<{ name: string | number; server: string | number }>
        readonly told: Say<{ name: string | number }>
        readonly link: string
      }
      readonly quote: {
        readonly subject: Say<{ name: string | number; server: string | number }>
        readonly told: Say<{ name: string | number }>
        readonly link: string
      }
      readonly follow: {
        readonly subject: Say<{ name: string | number; server: string | number }>
        readonly told: Say<{ name: string | number }>
        readonly link: string
      }
      readonly follow_request: {
        readonly subject: Say<{ name: string | number; server: string | number }>
        readonly told: Say<{ name: string | number }>
        readonly link: string
      }
      readonly reblog: {
        readonly subject: Say<{ name: string | number; server: string | number }>
        readonly told: Say<{ name: string | number }>
        readonly link: string
      }
      readonly favourite: {
        readonly subject: Say<{ name: string | number; server: string | number }>
        readonly told: Say<{ name: string | number }>
        readonly link: string
      }
    }
    readonly digest: {
      readonly subject: Say<{ server: string | number }>
      readonly away: Say<{ server: string | number; username: string | number }>
      readonly mentions: Say<{ count: number; shown: string | number }>
      readonly followers: Say<{ count: number; names: string | number; shown: string | number }>
      readonly followersAmong: Say<{ count: number; names: string | number; shown: string | number }>
      readonly link: string
    }
    readonly identity: {
      readonly addedSubject: Say<{ server: string | number; username: string | number }>
      readonly removedSubject: Say<{ server: string | number; username: string | number }>
      readonly added: Say<{ provider: string | number; server: string | number; username: string | number }>
      readonly removed: Say<{ provider: string | number; server: string | number; username: string | number }>
      readonly link: string
    }
  }
  readonly push: {
    readonly mention: Say<{ name: string | number }>
    readonly status: Say<{ name: string | number }>
    readonly reblog: Say<{ name: string | number }>
    readonly follow: Say<{ name: string | number }>
    readonly follow_request: Say<{ name: string | number }>
    readonly favourite: Say<{ name: string | number }>
    readonly poll: Say<{ name: string | number }>
    readonly own_poll: string
    readonly update: Say<{ name: string | number }>
    readonly quote: Say<{ name: string | number }>
    readonly quoted_update: Say<{ name: string | number }>
    readonly admin_sign_up: Say<{ name: string | number }>
    readonly admin_report: Say<{ name: string | number }>
    readonly severed_relationships: Say<{ target: string | number }>
    readonly moderation_warning: string
    readonly annual_report: Say<{ year: string | number }>
    readonly added_to_collection: Say<{ collection: string | number; name: string | number }>
    readonly collection_update: Say<{ collection: string | number; name: string | number }>
    readonly pleroma_emoji_reaction: Say<{ emoji: string | number; name: string | number }>
  }
  readonly notificationFallbacks: {
    readonly summary: string
    readonly titles: {
      readonly admin_report: Say<{ name: string | number }>
      readonly admin_sign_up: Say<{ name: string | number }>
      readonly pleroma_emoji_reaction: Say<{ emoji: string | number; name: string | number }>
      readonly added_to_collection: Say<{ collection: string | number; name: string | number }>
      readonly annual_report: Say<{ year: string | number }>
      readonly collection_update: Say<{ collection: string | number; name: string | number }>
      readonly moderation_warning: string
      readonly quote: Say<{ name: string | number }>
      readonly quoted_update: Say<{ name: string | number }>
      readonly severed_relationships: Say<{ target: string | number }>
    }
    readonly lost: Say<{ followers: string | number; following: string | number }>
  }
  readonly dashboard: {
    readonly media: string
    readonly media_cache: string
    readonly website: string
  }
  readonly moderation: {
    readonly decidedByRule: string
  }
}
