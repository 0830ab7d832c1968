// Written by scripts/messages.ts from locales/en.json.

/** A message into which something is put. */
export type Say<Params> = (params: Params) => string

/** All messages by their keys: a key that there is not, and a parameter that is missing, do not compile. */
export interface Messages {
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
      readonly cannot_store_files: string
      readonly change_refused_as_spam: string
      readonly changed_meanwhile: string
      readonly domain_not_allowed: Say<{ domain: string | number }>
      readonly duplicate_record: string
      readonly email_not_awaiting: string
      readonly exists_already: Say<{ path: string | number }>
      readonly file_converts_too_long: string
      readonly file_needs_memory: string
      readonly file_too_large: string
      readonly file_unreadable: string
      readonly file_would_become_too_large: string
      readonly film_without_pictures: string
      readonly films_unavailable: string
      readonly form_incomplete: string
      readonly frame_rate: Say<{ rate: string | number }>
      readonly image_size: Say<{ height: string | number; width: string | number }>
      readonly inbox_full: string
      readonly inbox_not_signed: string
      readonly internal: string
      readonly invalid_date: string
      readonly invite_used_up: string
      readonly json_broken: string
      readonly larger_than: Say<{ megabytes: string | number; name: string | number }>
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
      readonly no_role: Say<{ name: string | number }>
      readonly no_role_among: Say<{ name: string | number; names: string | number }>
      readonly no_room: string
      readonly no_whole_archive: Say<{ path: string | number }>
      readonly not_allowed: string
      readonly not_moved: Say<{ handle: string | number }>
      readonly not_published: string
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
      readonly picture_type_unsupported: string
      readonly picture_unreadable: string
      readonly pictures_unavailable: string
      readonly post_refused_as_spam: string
      readonly post_unknown_here: string
      readonly post_waits: string
      readonly quoted_missing: string
      readonly record_gone: string
      readonly record_invalid: string
      readonly record_not_found: string
      readonly remote_data_unavailable: string
      readonly replied_missing: string
      readonly request_not_signed: string
      readonly request_timed_out: string
      readonly request_too_large: string
      readonly search_paging_needs_user: string
      readonly search_resolve_needs_user: string
      readonly server_defederated: string
      readonly server_stopping: string
      readonly several_keywords: string
      readonly sign_ups_full: string
      readonly signature_key_no_address: string
      readonly signature_key_wrong: string
      readonly storing_timed_out: string
      readonly temporary_problem: string
      readonly token_expired: string
      readonly token_invalid: string
      readonly token_revoked: string
      readonly too_many_animation_frames: string
      readonly too_many_archive_entries: Say<{ max: string | number }>
      readonly too_many_archive_posts: Say<{ max: string | number }>
      readonly too_many_attachments: Say<{ max: string | number }>
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
}
