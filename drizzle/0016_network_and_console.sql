CREATE TABLE `alert_notices` (
	`record_version` integer NOT NULL,
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`mail` text NOT NULL,
	`what` text NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`created_at` integer NOT NULL,
	`alert` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alert_notices_due_at` ON `alert_notices` (`due_at`);--> statement-breakpoint
CREATE INDEX `alert_notices_created_at` ON `alert_notices` (`created_at`);--> statement-breakpoint
CREATE TABLE `alert_rules` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`selector` text,
	`after_seconds` integer,
	`targets` text NOT NULL,
	`quiet_hours` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `alerts` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`rule_id` text NOT NULL,
	`rule_name` text NOT NULL,
	`kind` text NOT NULL,
	`about` text NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`raised_at` integer NOT NULL,
	`cleared_at` integer,
	`facts` text NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `alerts_account_id_state_id` ON `alerts` (`account_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `alerts_state` ON `alerts` (`state`);--> statement-breakpoint
CREATE INDEX `alerts_cleared_at` ON `alerts` (`cleared_at`);--> statement-breakpoint
CREATE TABLE `firmware_campaign_rows` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`campaign_id` text NOT NULL,
	`wave` integer NOT NULL,
	`state` text NOT NULL,
	`status` text,
	`reason` text,
	`request_id` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `campaign_id`)
);
--> statement-breakpoint
CREATE INDEX `firmware_campaign_rows_campaign_id` ON `firmware_campaign_rows` (`campaign_id`);--> statement-breakpoint
CREATE TABLE `certificate_authorities` (
	`record_version` integer NOT NULL,
	`name` text PRIMARY KEY NOT NULL,
	`key_kind` text NOT NULL,
	`certificate` text NOT NULL,
	`private_key` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `certificate_requests` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`csr` text NOT NULL,
	`key_kind` text NOT NULL,
	`common_name` text NOT NULL,
	`type` text,
	`state` text NOT NULL,
	`reason` text,
	`chain` text,
	`work` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `certificate_requests_work` ON `certificate_requests` (`work`);--> statement-breakpoint
CREATE INDEX `certificate_requests_id` ON `certificate_requests` (`id`);--> statement-breakpoint
CREATE INDEX `certificate_requests_account_id_charge_point_id_id` ON `certificate_requests` (`account_id`,`charge_point_id`,`id`);--> statement-breakpoint
CREATE TABLE `configurations` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`selector` text NOT NULL,
	`priority` integer NOT NULL,
	`variables` text NOT NULL,
	`keys16` text NOT NULL,
	`reboot_policy` text NOT NULL,
	`reboot_window` text,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `device_models` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`report_due_at` integer,
	`firmware_version` text,
	`failures` integer NOT NULL,
	`asks_in_tens` integer NOT NULL,
	`limits` text NOT NULL,
	`variable_count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `firmware_campaigns` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`grant_id` text,
	`state` text NOT NULL,
	`reason` text,
	`selector` text NOT NULL,
	`target` text NOT NULL,
	`models` text,
	`hours` text,
	`waves` text NOT NULL,
	`max_failure_millionths` integer NOT NULL,
	`soak_ms` integer NOT NULL,
	`silence_ms` integer NOT NULL,
	`only_idle` integer NOT NULL,
	`retry_offline` integer NOT NULL,
	`wave` integer NOT NULL,
	`soak_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `firmware_campaigns_state_updated_at` ON `firmware_campaigns` (`state`,`updated_at`);--> statement-breakpoint
CREATE TABLE `firmware_images` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`version` text NOT NULL,
	`models` text,
	`file_name` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`certificate` text,
	`signature` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `firmware_updates` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`request_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`campaign_id` text NOT NULL,
	`wave` integer NOT NULL,
	`target` text NOT NULL,
	`state` text NOT NULL,
	`status` text,
	`statuses` text NOT NULL,
	`reason` text,
	`only_idle` integer NOT NULL,
	`hours` text,
	`is_ordered` integer NOT NULL,
	`recalled` text,
	`attempts` integer NOT NULL,
	`not_before` integer,
	`silence_ms` integer NOT NULL,
	`is_asked` integer NOT NULL,
	`token_hash` text NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `request_id`)
);
--> statement-breakpoint
CREATE INDEX `firmware_updates_token_hash` ON `firmware_updates` (`token_hash`);--> statement-breakpoint
CREATE INDEX `firmware_updates_due_at` ON `firmware_updates` (`due_at`);--> statement-breakpoint
CREATE TABLE `installed_certificates` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`hash` text NOT NULL,
	`reported_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `intents` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`account_id` text NOT NULL,
	`desired` text NOT NULL,
	`is_secret` integer NOT NULL,
	`variable` text,
	`revision` integer NOT NULL,
	`applied_revision` integer,
	`state` text NOT NULL,
	`reason` text,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`expires_at` integer,
	`command_id` text,
	`firmware_version` text,
	`drifts` text NOT NULL,
	`reset_at` integer,
	`source` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `kind`, `key`)
);
--> statement-breakpoint
CREATE INDEX `intents_state_expires_at` ON `intents` (`state`,`expires_at`);--> statement-breakpoint
CREATE INDEX `intents_account_id_charge_point_id_kind_key` ON `intents` (`account_id`,`charge_point_id`,`kind`,`key`);--> statement-breakpoint
CREATE INDEX `intents_account_id_state_charge_point_id_kind_key` ON `intents` (`account_id`,`state`,`charge_point_id`,`kind`,`key`);--> statement-breakpoint
CREATE INDEX `intents_account_id_kind_charge_point_id_key` ON `intents` (`account_id`,`kind`,`charge_point_id`,`key`);--> statement-breakpoint
CREATE INDEX `intents_account_id_state_kind_charge_point_id_key` ON `intents` (`account_id`,`state`,`kind`,`charge_point_id`,`key`);--> statement-breakpoint
CREATE TABLE `log_requests` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`request_id` integer NOT NULL,
	`account_id` text NOT NULL,
	`type` text NOT NULL,
	`from_at` integer,
	`to_at` integer,
	`state` text NOT NULL,
	`status` text,
	`reason` text,
	`is_ordered` integer NOT NULL,
	`is_accepted` integer NOT NULL,
	`attempts` integer NOT NULL,
	`not_before` integer,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`file` text,
	PRIMARY KEY(`charge_point_id`, `request_id`)
);
--> statement-breakpoint
CREATE INDEX `log_requests_token_hash` ON `log_requests` (`token_hash`);--> statement-breakpoint
CREATE INDEX `log_requests_due_at` ON `log_requests` (`due_at`);--> statement-breakpoint
CREATE TABLE `security_profile_jobs` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`security_profile` integer NOT NULL,
	`state` text NOT NULL,
	`step` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`due_at` integer,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `security_profile_jobs_due_at` ON `security_profile_jobs` (`due_at`);--> statement-breakpoint
CREATE TABLE `reports` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`id` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`is_whole` integer NOT NULL,
	`is_automatic` integer NOT NULL,
	`to_ask` text NOT NULL,
	`asked_at` integer,
	`heard_at` integer,
	`seen` text NOT NULL,
	`last_sequence` integer,
	`ending` text,
	`truncated` integer NOT NULL,
	`variable_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `reports_state` ON `reports` (`state`);--> statement-breakpoint
CREATE TABLE `revoked_certificates` (
	`record_version` integer NOT NULL,
	`fingerprint` text PRIMARY KEY NOT NULL,
	`authority` text NOT NULL,
	`serial_number` text NOT NULL,
	`revoked_at` integer NOT NULL,
	`not_after` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `revoked_certificates_authority` ON `revoked_certificates` (`authority`);--> statement-breakpoint
CREATE TABLE `station_certificates` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`serial_number` text NOT NULL,
	`authority` text,
	`subject` text NOT NULL,
	`issuer` text NOT NULL,
	`certificate` text NOT NULL,
	`not_before` integer NOT NULL,
	`not_after` integer NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`charge_point_id`, `fingerprint`)
);
--> statement-breakpoint
CREATE INDEX `station_certificates_fingerprint` ON `station_certificates` (`fingerprint`);--> statement-breakpoint
CREATE TABLE `station_models` (
	`record_version` integer NOT NULL,
	`vendor` text NOT NULL,
	`model` text NOT NULL,
	`asks_in_tens` integer NOT NULL,
	PRIMARY KEY(`vendor`, `model`)
);
--> statement-breakpoint
CREATE TABLE `value_batches` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`batch` text NOT NULL,
	`report_id` integer,
	`told` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `batch`)
);
--> statement-breakpoint
CREATE TABLE `variables` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`key` text NOT NULL,
	`account_id` text NOT NULL,
	`component_name` text NOT NULL,
	`variable_name` text NOT NULL,
	`name` text NOT NULL,
	`value` text,
	`characteristics` text NOT NULL,
	`gone` integer NOT NULL,
	`seen_in` integer,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `variables_account_id_charge_point_id_key` ON `variables` (`account_id`,`charge_point_id`,`key`);--> statement-breakpoint
CREATE INDEX `variables_account_id_variable_name_charge_point_id_key` ON `variables` (`account_id`,`variable_name`,`charge_point_id`,`key`);--> statement-breakpoint
CREATE INDEX `variables_account_id_component_name_variable_name_charge_point_id_key` ON `variables` (`account_id`,`component_name`,`variable_name`,`charge_point_id`,`key`);--> statement-breakpoint
CREATE TABLE `energy_slots` (
	`account_id` text NOT NULL,
	`slot` integer NOT NULL,
	`milli_wh` integer NOT NULL,
	PRIMARY KEY(`account_id`, `slot`)
);
--> statement-breakpoint
ALTER TABLE `charge_points` ADD `accept_expired` integer;--> statement-breakpoint
ALTER TABLE `charge_points` ADD `subject_check` text;--> statement-breakpoint
ALTER TABLE `charge_points` ADD `labels` text;--> statement-breakpoint
ALTER TABLE `connectors` ADD `vendor_error_code` text;--> statement-breakpoint
ALTER TABLE `connectors` ADD `info` text;--> statement-breakpoint
ALTER TABLE `connectors` ADD `since` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `energy_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `power_milli_w` integer;