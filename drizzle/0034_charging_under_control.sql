CREATE TABLE `charging_demands` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`owner` text NOT NULL,
	`evse_id` integer NOT NULL,
	`caps` text NOT NULL,
	`asked` text,
	`revision` integer NOT NULL,
	`applied_revision` integer,
	`accepted_at` integer,
	`state` text NOT NULL,
	`reason` text,
	`grant_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `owner`, `evse_id`)
);
--> statement-breakpoint
CREATE INDEX `charging_demands_grant_id` ON `charging_demands` (`grant_id`);--> statement-breakpoint
CREATE TABLE `charging_profiles` (
	`record_version` integer NOT NULL,
	`charge_point_id` text NOT NULL,
	`source` text NOT NULL,
	`id` integer NOT NULL,
	`evse_id` integer NOT NULL,
	`purpose` text NOT NULL,
	`stack_level` integer NOT NULL,
	`transaction_id` text,
	`valid_from` integer,
	`valid_to` integer,
	`owner` text NOT NULL,
	`profile` text NOT NULL,
	`state` text NOT NULL,
	`basis` text,
	`form` text,
	`refused_forms` text,
	`reason` text,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`accepted_at` integer,
	`grant_id` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`charge_point_id`, `source`, `id`)
);
--> statement-breakpoint
CREATE INDEX `charging_profiles_grant_id` ON `charging_profiles` (`grant_id`);--> statement-breakpoint
CREATE TABLE `charging_stations` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`abilities` text,
	`firmware_version` text,
	`is_known` integer NOT NULL,
	`clears_foreign` integer NOT NULL,
	`reading` text,
	`next_request_id` integer NOT NULL,
	`is_unsupported` integer NOT NULL,
	`key_amps` integer,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`proofs` text NOT NULL,
	`resumed_at` text NOT NULL,
	`needs` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `charging_forms` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`vendor` text NOT NULL,
	`model` text NOT NULL,
	`firmware_version` text NOT NULL,
	`refused` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `vendor`, `model`, `firmware_version`)
);
--> statement-breakpoint
CREATE TABLE `model_abilities` (
	`record_version` integer NOT NULL,
	`account_id` text NOT NULL,
	`vendor` text NOT NULL,
	`model` text NOT NULL,
	`limit_key` text,
	`abilities` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `vendor`, `model`)
);
--> statement-breakpoint
CREATE TABLE `wirings` (
	`record_version` integer NOT NULL,
	`charge_point_id` text PRIMARY KEY NOT NULL,
	`connectors` text NOT NULL,
	`priority` integer,
	`updated_at` integer NOT NULL
);
