DROP INDEX `sessions_account`;--> statement-breakpoint
DROP INDEX `sessions_charge_point`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `id_token` text COLLATE NOCASE;--> statement-breakpoint
UPDATE `sessions` SET `id_token` = (
  SELECT CASE
    WHEN sessions.facts ->> '$.remoteStart.isCardGroup' = 1 THEN sessions.facts ->> '$.remoteStart.groupId'
    WHEN document ->> '$.idToken.id' LIKE 'FADE__________'
      AND sessions.facts ->> '$.remoteStart.virtualIdToken' = document ->> '$.idToken.id' COLLATE NOCASE THEN NULL
    ELSE nullif(document ->> '$.idToken.id', '') END
  FROM transactions
  WHERE transactions.charge_point_id = sessions.charge_point_id AND session_id = sessions.id
    AND transaction_id IN (sessions.facts ->> '$.transactionId', (sessions.facts ->> '$.transactionId') || '@' || sessions.id)
) WHERE facts ->> '$.transactionId' IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_account_created` ON `sessions` (`account_id`,`created_at`,`id`,`charge_point_id`);--> statement-breakpoint
CREATE INDEX `sessions_charge_point_created` ON `sessions` (`charge_point_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_state` ON `sessions` (`account_id`,`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_reference` ON `sessions` (`account_id`,`external_reference`,`created_at`,`id`) WHERE external_reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_id_token` ON `sessions` (`account_id`,`id_token`,`created_at`,`id`) WHERE id_token IS NOT NULL;--> statement-breakpoint
CREATE INDEX `sessions_ended` ON `sessions` (`account_id`,`created_at`,`id`,`charge_point_id`,`state`,`energy_milli_wh`,`cost_micros`,`currency`,`started_at`,`stopped_at`) WHERE state IN ('completed', 'failed');